import { spawnSync } from 'node:child_process'
import type { TestContext } from 'node:test'
import { hasProgram } from '../support/component.ts'

/** What the other library reads of an event. Days are `2026-03-01`, instants `2026-03-01T06:00:00+00:00`. */
export interface ReadEvent {
  events: number
  method: string | null
  uid: string
  sequence: string
  summary: string
  description: string | null
  location: string | null
  url: string | null
  status: string
  dtstart: string
  dtend: string | null
  dtstamp: string
  organizer: Person
  attendees: Person[]
  alarms: number
}

interface Person {
  value: string
  params: Record<string, string[]>
}

const SCRIPT = `
import json, sys, vobject
calendar = vobject.readOne(sys.stdin.buffer.read().decode('utf-8'))
event = calendar.vevent
def value(of, name):
    found = getattr(of, name, None)
    return None if found is None else found.value
def when(name):
    found = value(event, name)
    return None if found is None else found.isoformat()
def person(line):
    return {'value': line.value, 'params': line.params}
print(json.dumps({
    'events': len(calendar.vevent_list),
    'method': value(calendar, 'method'),
    'uid': event.uid.value,
    'sequence': event.sequence.value,
    'summary': event.summary.value,
    'description': value(event, 'description'),
    'location': value(event, 'location'),
    'url': value(event, 'url'),
    'status': event.status.value,
    'dtstart': when('dtstart'),
    'dtend': when('dtend'),
    'dtstamp': when('dtstamp'),
    'organizer': person(event.organizer),
    'attendees': [person(each) for each in getattr(event, 'attendee_list', [])],
    'alarms': len(getattr(event, 'valarm_list', [])),
}))
`

const PYTHON = '/usr/bin/python3'

export function hasVobject(t: TestContext): boolean {
  if (!hasProgram(t, PYTHON, 'python3')) return false
  if (spawnSync(PYTHON, ['-c', 'import vobject']).status === 0) return true
  const sentence = 'vobject is not installed: apt-get install python3-vobject'
  if (process.env.CI === 'true') throw new Error(sentence)
  t.skip(sentence)
  return false
}

/** Reads a calendar with vobject, the library of Radicale. */
export function readWithVobject(text: string): ReadEvent {
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', SCRIPT], {
    input: text,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`vobject refuses it: ${stderr}\n${text}`)
  return JSON.parse(stdout)
}
