import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { calendarText } from '../../src/icalendar/event.ts'
import { invitation } from './invitations.ts'
import { hasVobject, readWithVobject } from './vobject.ts'

const REQUEST = { method: 'REQUEST', stamp: Date.parse('2026-02-20T08:00:00Z') } as const

const lineOf = (text: string, name: string) =>
  text.replaceAll('\r\n ', '').match(new RegExp(`^${name}[;:].*$`, 'm'))?.[0]

function instantOf(text: string, name: string): number {
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
  const time = event?.getFirstPropertyValue(name)
  assert.ok(time instanceof ICAL.Time)
  return time.toJSDate().getTime()
}

const spans: [why: string, zone: string, from: string, to: string][] = [
  ['a morning', 'Asia/Riyadh', '2026-03-01T09:00:00+03:00', '2026-03-01T10:00:00+03:00'],
  [
    'over the hour that is left out',
    'Africa/Cairo',
    '2026-04-23T23:30:00+02:00',
    '2026-04-24T01:30:00+03:00',
  ],
  [
    'in the hour that comes twice',
    'Africa/Cairo',
    '2026-10-29T23:15:00+03:00',
    '2026-10-29T23:15:00+02:00',
  ],
  [
    'over the hour that is left out',
    'America/New_York',
    '2026-03-08T01:30:00-05:00',
    '2026-03-08T03:30:00-04:00',
  ],
  [
    'in the hour that comes twice',
    'America/New_York',
    '2026-11-01T01:30:00-04:00',
    '2026-11-01T01:30:00-05:00',
  ],
  [
    'three quarters of an hour apart',
    'Asia/Kathmandu',
    '2026-03-01T09:00:00+05:45',
    '2026-03-01T10:00:00+05:45',
  ],
  [
    'over the day that was left out',
    'Pacific/Apia',
    '2011-12-29T23:00:00-10:00',
    '2011-12-31T01:00:00+14:00',
  ],
  ['in UTC', 'UTC', '2026-12-31T23:00:00Z', '2027-01-01T01:00:00Z'],
]

for (const [why, timeZone, from, to] of spans) {
  test(`both libraries read the instants of an event ${why} in ${timeZone}`, (t) => {
    const [startsAt, endsAt] = [Date.parse(from), Date.parse(to)]
    const text = calendarText(invitation({ startsAt, endsAt, timeZone }), REQUEST)
    assert.deepEqual([instantOf(text, 'dtstart'), instantOf(text, 'dtend')], [startsAt, endsAt])
    assert.match(lineOf(text, 'DTSTART') ?? '', /^DTSTART:\d{8}T\d{6}Z$/)
    if (!hasVobject(t)) return
    const { dtstart, dtend } = readWithVobject(text)
    assert.deepEqual([Date.parse(dtstart), Date.parse(dtend ?? '')], [startsAt, endsAt])
  })
}

const days: [why: string, zone: string, from: string, to: string, start: string, end: string][] = [
  [
    'one day',
    'Asia/Riyadh',
    '2026-03-01T00:00:00+03:00',
    '2026-03-01T23:59:59+03:00',
    '2026-03-01',
    '2026-03-02',
  ],
  [
    'three days',
    'Asia/Riyadh',
    '2026-02-27T00:00:00+03:00',
    '2026-03-01T23:59:59+03:00',
    '2026-02-27',
    '2026-03-02',
  ],
  [
    'a day without a midnight',
    'Africa/Cairo',
    '2026-04-24T01:00:00+03:00',
    '2026-04-24T23:59:59+03:00',
    '2026-04-24',
    '2026-04-25',
  ],
  [
    'the day before it',
    'Africa/Cairo',
    '2026-04-23T00:00:00+02:00',
    '2026-04-23T23:59:59+02:00',
    '2026-04-23',
    '2026-04-24',
  ],
  [
    'a day of 25 hours',
    'Africa/Cairo',
    '2026-10-29T00:00:00+03:00',
    '2026-10-29T23:59:59+02:00',
    '2026-10-29',
    '2026-10-30',
  ],
  [
    'a day of 25 hours',
    'America/New_York',
    '2026-11-01T00:00:00-04:00',
    '2026-11-01T23:59:59-05:00',
    '2026-11-01',
    '2026-11-02',
  ],
  [
    'a day of 23 hours',
    'America/New_York',
    '2026-03-08T00:00:00-05:00',
    '2026-03-08T23:59:59-04:00',
    '2026-03-08',
    '2026-03-09',
  ],
  [
    'the last day of a year',
    'Asia/Kathmandu',
    '2026-12-31T00:00:00+05:45',
    '2026-12-31T23:59:59+05:45',
    '2026-12-31',
    '2027-01-01',
  ],
  [
    'the first to begin on earth',
    'Pacific/Apia',
    '2026-03-01T00:00:00+13:00',
    '2026-03-01T23:59:59+13:00',
    '2026-03-01',
    '2026-03-02',
  ],
  [
    'the day before the one left out',
    'Pacific/Apia',
    '2011-12-29T00:00:00-10:00',
    '2011-12-29T23:59:59-10:00',
    '2011-12-29',
    '2011-12-30',
  ],
  ['a leap day', 'UTC', '2028-02-29T00:00:00Z', '2028-02-29T23:59:59Z', '2028-02-29', '2028-03-01'],
]

for (const [why, timeZone, from, to, start, end] of days) {
  test(`a whole-day event takes the days of the company: ${why} in ${timeZone}`, (t) => {
    const times = { startsAt: Date.parse(from), endsAt: Date.parse(to), allDay: true, timeZone }
    const text = calendarText(invitation(times), REQUEST)
    const day = (date: string) => date.replaceAll('-', '')
    assert.equal(lineOf(text, 'DTSTART'), `DTSTART;VALUE=DATE:${day(start)}`)
    assert.equal(lineOf(text, 'DTEND'), `DTEND;VALUE=DATE:${day(end)}`)
    assert.equal(lineOf(text, 'TRANSP'), 'TRANSP:TRANSPARENT')
    if (!hasVobject(t)) return
    const read = readWithVobject(text)
    assert.deepEqual([read.dtstart, read.dtend], [start, end])
  })
}

test('years beyond four digits are written as the last that can be', () => {
  for (const allDay of [true, false]) {
    for (const [from, to] of [
      ['9999-12-31T00:00:00Z', '9999-12-31T23:59:59Z'],
      ['-000001-12-31T21:00:00Z', '0001-01-01T00:00:00Z'],
    ] as const) {
      const times = { startsAt: Date.parse(from), endsAt: Date.parse(to), allDay }
      const text = calendarText(invitation(times), REQUEST)
      const written = /^DTSTART(;VALUE=DATE:\d{8}|:\d{8}T\d{6}Z)$/
      assert.match(lineOf(text, 'DTSTART') ?? '', written)
    }
  }
})
