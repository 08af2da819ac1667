import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import type { Invitation } from '../../src/domain/invitation.ts'
import { calendarText } from '../../src/icalendar/event.ts'
import { invitation } from './invitations.ts'
import { hasVobject, readWithVobject } from './vobject.ts'

const STAMP = Date.parse('2026-02-20T08:00:01.700Z')
const REQUEST = { method: 'REQUEST', stamp: STAMP } as const

const eventOf = (text: string): ICAL.Component => {
  const [event, ...others] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  assert.ok(event)
  assert.equal(others.length, 0)
  return event
}
const propertyOf = (text: string, name: string) => eventOf(text).getFirstPropertyValue(name)

test('an event is written line by line as calendars expect it', () => {
  const text = calendarText(invitation(), REQUEST)
  const expected = [
    'BEGIN:VCALENDAR',
    'PRODID:-//Majlis//Majlis//EN',
    'VERSION:2.0',
    'CALSCALE:GREGORIAN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:7-42@majlis.example',
    'SEQUENCE:3',
    'DTSTAMP:20260220T080001Z',
    'DTSTART:20260301T060000Z',
    'DTEND:20260301T073000Z',
    'SUMMARY:اجتماع الافتتاح',
    'DESCRIPTION:جدول الأعمال',
    'LOCATION:https://meet.example/launch',
    'URL:https://meet.example/launch',
    'ORGANIZER;CN=منى العتيبي:mailto:mona@company.example',
    'ATTENDEE;CN=Omar Haddad;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:omar@company.example',
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
  assert.deepEqual(text.replaceAll('\r\n ', '').split('\r\n'), expected)
})

test('an object for a calendar server has no METHOD', () => {
  const text = calendarText(invitation(), { method: null, stamp: STAMP })
  assert.doesNotMatch(text, /METHOD/)
  assert.match(text, /\r\nSTATUS:CONFIRMED\r\n/)
})

test('a cancellation says so in METHOD and in STATUS, with the sequence of the invitation', () => {
  const text = calendarText(invitation({ sequence: 4 }), { method: 'CANCEL', stamp: STAMP })
  assert.match(text, /\r\nMETHOD:CANCEL\r\n/)
  assert.match(text, /\r\nSTATUS:CANCELLED\r\n/)
  assert.match(text, /\r\nSEQUENCE:4\r\n/)
  assert.match(text, /\r\nTRANSP:TRANSPARENT\r\n/)
})

test('an event without end, description, address or attendees has no such lines', () => {
  const { startsAt } = invitation()
  const bare = { endsAt: startsAt, description: null, meetingUrl: null, attendees: [] }
  const text = calendarText(invitation(bare), REQUEST)
  assert.doesNotMatch(text, /DTEND|DESCRIPTION|URL|LOCATION|ATTENDEE/)
})

test('vobject reads every field of an invitation', (t) => {
  if (!hasVobject(t)) return
  assert.deepEqual(readWithVobject(calendarText(invitation(), REQUEST)), {
    events: 1,
    method: 'REQUEST',
    uid: '7-42@majlis.example',
    sequence: '3',
    summary: 'اجتماع الافتتاح',
    description: 'جدول الأعمال',
    location: 'https://meet.example/launch',
    url: 'https://meet.example/launch',
    status: 'CONFIRMED',
    dtstart: '2026-03-01T06:00:00+00:00',
    dtend: '2026-03-01T07:30:00+00:00',
    dtstamp: '2026-02-20T08:00:01+00:00',
    organizer: { value: 'mailto:mona@company.example', params: { CN: ['منى العتيبي'] } },
    attendees: [
      {
        value: 'mailto:omar@company.example',
        params: {
          CN: ['Omar Haddad'],
          ROLE: ['REQ-PARTICIPANT'],
          PARTSTAT: ['NEEDS-ACTION'],
          RSVP: ['TRUE'],
        },
      },
    ],
    alarms: 0,
  })
})

const hostile =
  'a;b,c\\d\\n"q" é\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\rX-EVIL:1\u2028Y\u0085Z\u0000\u0007'

test('hostile text stays text, in both libraries', (t) => {
  const text = calendarText(hostileInvitation(), REQUEST)
  const shown = 'a;b,c\\d\\n"q" é BEGIN:VEVENT END:VCALENDAR X-EVIL:1 Y Z'
  const written = 'a;b,c\\d\\n"q" é\nBEGIN:VEVENT\nEND:VCALENDAR\nX-EVIL:1\nY\nZ'
  assert.equal(propertyOf(text, 'summary'), shown)
  assert.equal(propertyOf(text, 'description'), written)
  const person = eventOf(text).getFirstProperty('attendee')
  assert.equal(person?.getFirstParameter('cn'), asName(shown))
  assert.equal(person?.getFirstParameter('role'), 'REQ-PARTICIPANT')
  assert.equal(person?.getFirstValue(), 'mailto:omar@company.exampleATTENDEE:evil@example')
  assert.doesNotMatch(text, /^(X-EVIL|BEGIN:VEVENT.+)/m)
  assert.equal(text.match(/^BEGIN:/gm)?.length, 2)
  if (!hasVobject(t)) return
  const read = readWithVobject(text)
  assert.equal(read.events, 1)
  assert.equal(read.summary, shown)
  assert.equal(read.description, written)
  assert.deepEqual(read.attendees[0]?.params.CN, [asName(shown)])
})

function asName(text: string): string {
  return text.replaceAll('"', "'").replaceAll('\\', '/')
}

function hostileInvitation(): Invitation {
  const email = 'omar@company.example\r\nATTENDEE:evil@example'
  return invitation({ name: hostile, description: hostile, attendees: [{ name: hostile, email }] })
}

test('an address that is no web address is left out', () => {
  for (const meetingUrl of ['javascript:alert(1)', 'https://a.example/\r\nX-EVIL:1', 'room 3']) {
    assert.doesNotMatch(calendarText(invitation({ meetingUrl }), REQUEST), /^(URL|LOCATION|X-)/m)
  }
})

test('long lines are folded at 75 octets, whatever the letters', () => {
  for (const letters of ['a', 'ا', 'xا', '😀', 'a😀', 'ا\u064e,']) {
    const description = letters.repeat(400)
    const text = calendarText(invitation({ description }), REQUEST)
    const lengths = text.split('\r\n').map((each) => Buffer.byteLength(each))
    const longest = Math.max(...lengths)
    assert.ok(longest <= 75 && longest >= 72, `${letters}: ${longest}`)
    assert.equal(propertyOf(text, 'description'), description)
  }
})

test('no line is longer than 75 octets, and none is broken inside a letter', () => {
  const letters = fc.string({ unit: 'binary', maxLength: 300, size: 'max' })
  const arabic = fc.string({ unit: fc.constantFrom(...'اجتماع الافتتاح 😀é,;\\'), maxLength: 300 })
  const anyText = fc.oneof(letters, arabic)
  fc.assert(
    fc.property(anyText, anyText, anyText, (name, description, person) => {
      const attendees = [{ name: person, email: 'omar@company.example' }]
      const text = calendarText(invitation({ name, description, attendees }), REQUEST)
      assert.ok(!text.replaceAll('\r\n', '').includes('\n'))
      for (const line of text.split('\r\n')) {
        assert.ok(Buffer.byteLength(line) <= 75, `${Buffer.byteLength(line)}: ${line}`)
        assert.ok(line.isWellFormed())
      }
      const event = eventOf(text)
      const comparable = (each: unknown) => String(each).replace(/[\p{Cc}\s]/gu, '')
      assert.equal(comparable(event.getFirstPropertyValue('summary')), comparable(name))
      assert.equal(comparable(event.getFirstPropertyValue('description')), comparable(description))
      const shown = event.getFirstProperty('attendee')?.getFirstParameter('cn') ?? ''
      assert.equal(comparable(shown), comparable(asName(person)))
    }),
    { numRuns: 200 },
  )
})
