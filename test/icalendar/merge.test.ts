import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { calendarText, mergeInto } from '../../src/icalendar/event.ts'
import { invitation } from './invitations.ts'
import { hasVobject, readWithVobject } from './vobject.ts'

const mona = { name: 'منى العتيبي', email: 'mona@company.example' }
const omar = { name: 'Omar Haddad', email: 'omar@company.example' }
const ours = (changes: Parameters<typeof invitation>[0] = {}) =>
  calendarText(invitation(changes), { method: null, stamp: Date.parse('2026-02-21T00:00:00Z') })

/** As it came back from a calendar, where people had answered and added things of their own. */
const theirs = [
  'BEGIN:VCALENDAR',
  'PRODID:-//Other//Calendar 1.0//EN',
  'VERSION:2.0',
  'METHOD:PUBLISH',
  'X-WR-CALNAME:عمل',
  'BEGIN:VTIMEZONE',
  'TZID:Asia/Riyadh',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0300',
  'TZOFFSETTO:+0300',
  'END:STANDARD',
  'END:VTIMEZONE',
  'BEGIN:VEVENT',
  'UID:another',
  'DTSTAMP:20260101T000000Z',
  'DTSTART:20260101T000000Z',
  'SUMMARY:Another',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'UID:7-42@majlis.example',
  'SEQUENCE:2',
  'DTSTAMP:20260101T000000Z',
  'DTSTART;TZID=Asia/Riyadh:20260228T090000',
  'DURATION:PT1H',
  'SUMMARY:Old name',
  'LOCATION:Old room',
  'CATEGORIES:work,launch',
  'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR;X-WHY="a;b":AUTOMATIC',
  'ORGANIZER;CN=Old:mailto:old@company.example',
  'ATTENDEE;PARTSTAT=ACCEPTED;CN=Old Omar:MAILTO:Omar@Company.example',
  'ATTENDEE;PARTSTAT=DECLINED:mailto:gone@company.example',
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  'DESCRIPTION:Soon',
  'TRIGGER:-PT10M',
  'END:VALARM',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n')

const read = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const event = calendar
    .getAllSubcomponents('vevent')
    .find((each) => each.getFirstPropertyValue('uid') === '7-42@majlis.example')
  assert.ok(event)
  return { calendar, event, value: (name: string) => event.getFirstPropertyValue(name) }
}

test('our event is laid over theirs, and what they added stays', () => {
  const merged = mergeInto(theirs, ours({ attendees: [omar, mona] }))
  const { calendar, event, value } = read(merged)
  assert.equal(value('summary'), 'اجتماع الافتتاح')
  assert.equal(value('location'), 'https://meet.example/launch')
  assert.equal(String(value('dtstart')), '2026-03-01T06:00:00Z')
  assert.equal(String(value('dtend')), '2026-03-01T07:30:00Z')
  assert.equal(value('duration'), null)
  assert.equal(value('sequence'), 3)
  assert.deepEqual(event.getFirstProperty('categories')?.getValues(), ['work', 'launch'])
  const added = event.getFirstProperty('x-apple-travel-advisory-behavior')
  assert.equal(added?.getFirstValue(), 'AUTOMATIC')
  assert.equal(added?.getFirstParameter('x-why'), 'a;b')
  assert.equal(event.getAllSubcomponents('valarm').length, 1)
  assert.equal(calendar.getFirstPropertyValue('x-wr-calname'), 'عمل')
  assert.deepEqual(
    calendar.getAllSubcomponents().map((each) => each.name),
    ['vtimezone', 'vevent', 'vevent'],
  )
  for (const name of ['summary', 'dtstart', 'dtend', 'location', 'url', 'organizer', 'status']) {
    assert.equal(event.getAllProperties(name).length, 1, name)
  }
})

test('the answer of someone still invited stays, and who is no longer invited goes', () => {
  const { event } = read(mergeInto(theirs, ours({ attendees: [omar, mona] })))
  const answers = event
    .getAllProperties('attendee')
    .map((each) => [each.getFirstValue(), each.getFirstParameter('partstat')])
  assert.deepEqual(answers, [
    ['mailto:omar@company.example', 'ACCEPTED'],
    ['mailto:mona@company.example', 'NEEDS-ACTION'],
  ])
})

test('the higher sequence wins, whosever it is', () => {
  const newer = theirs.replace('SEQUENCE:2', 'SEQUENCE:9')
  assert.equal(read(mergeInto(newer, ours())).value('sequence'), 9)
  assert.equal(read(mergeInto(theirs, ours())).value('sequence'), 3)
})

test('a merged object has no METHOD, and both libraries read it', (t) => {
  const merged = mergeInto(theirs, ours({ allDay: true }))
  assert.doesNotMatch(merged, /METHOD/)
  if (!hasVobject(t)) return
  const alone = merged.replace(/BEGIN:VEVENT\r\nUID:another[\s\S]*?END:VEVENT\r\n/, '')
  const { dtstart, dtend, alarms } = readWithVobject(alone)
  assert.deepEqual([dtstart, dtend, alarms], ['2026-03-01', '2026-03-02', 1])
})

test('an address that was taken away goes, and a room that they added stays', () => {
  const without = ours({ meetingUrl: null })
  const { value } = read(mergeInto(ours(), without))
  assert.deepEqual([value('url'), value('location')], [null, null])
  const room = theirs.replace('LOCATION:', 'URL:https://rooms.example/3\r\nLOCATION:')
  for (const each of [theirs, room]) {
    assert.equal(read(mergeInto(each, without)).value('location'), 'Old room')
  }
})

test('a description that was taken away goes', () => {
  assert.equal(read(mergeInto(ours(), ours({ description: null }))).value('description'), null)
})

test('what they said of one day of a series stays as it is', () => {
  const day =
    'BEGIN:VEVENT\r\nUID:7-42@majlis.example\r\nRECURRENCE-ID:20260228T060000Z\r\nSUMMARY:That day\r\nEND:VEVENT\r\n'
  const series = theirs.replace('BEGIN:VEVENT\r\nUID:another', `${day}BEGIN:VEVENT\r\nUID:another`)
  const merged = mergeInto(series, ours())
  assert.match(merged, /SUMMARY:That day/)
  assert.doesNotMatch(merged, /SUMMARY:Old name/)
})

test('merged twice, it is what it was', () => {
  const once = mergeInto(theirs, ours())
  assert.equal(mergeInto(once, ours()), once)
})

test('where theirs cannot be read or is another event, ours is the answer', () => {
  const truncated = theirs.slice(0, theirs.indexOf('SUMMARY:Old'))
  const others = theirs.replaceAll('UID:7-42@majlis.example', 'UID:x')
  const card = 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:x\r\nEND:VCARD\r\n'
  const broken = [
    truncated,
    others,
    card,
    '',
    '<html>',
    '\u0000',
    theirs + theirs,
    'BEGIN:VCALENDAR',
  ]
  for (const each of broken) assert.equal(mergeInto(each, ours()), ours(), each.slice(0, 40))
})
