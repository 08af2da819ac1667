import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUtc, isCalendarDay, isTimeZone, parseInstant } from '../../src/domain/instant.ts'

const days: [text: string, isDay: boolean, why: string][] = [
  ['2026-02-28', true, 'a day'],
  ['2028-02-29', true, 'a leap day'],
  ['2026-02-29', false, 'no leap year'],
  ['2026-02-30', false, 'February has no 30th'],
  ['2026-04-31', false, 'April has no 31st'],
  ['2026-13-01', false, 'no such month'],
  ['2026-00-10', false, 'no such month'],
  ['2026-01-00', false, 'no such day'],
  ['2026-1-1', false, 'two digits each'],
  ['0001-01-01', true, 'long ago, but a day'],
  ['2026-01-01T00:00:00Z', false, 'a time is no day'],
  ['01/02/2026', false, 'another notation'],
  ['٢٠٢٦-٠١-٠١', false, 'ASCII digits only'],
  ['', false, 'nothing'],
]

for (const [text, expected, why] of days) {
  test(`${JSON.stringify(text)} ${expected ? 'is' : 'is not'} a calendar day: ${why}`, () => {
    assert.equal(isCalendarDay(text), expected)
  })
}

test('an instant is shown in UTC, to the second', () => {
  assert.equal(formatUtc(Date.UTC(2026, 2, 1, 6, 0, 0, 999)), '2026-03-01T06:00:00Z')
})

const zones: [name: string, isZone: boolean][] = [
  ['UTC', true],
  ['Asia/Riyadh', true],
  ['Africa/Cairo', true],
  ['Mars/Base', false],
  ['+03:00', false],
  ['', false],
]

for (const [name, expected] of zones) {
  test(`${JSON.stringify(name)} ${expected ? 'is' : 'is not'} a time zone`, () => {
    assert.equal(isTimeZone(name), expected)
  })
}

const instants: [text: string, zone: string, utc: string | null, why: string][] = [
  ['2026-03-01T09:00:00+03:00', 'UTC', '2026-03-01T06:00:00Z', 'an offset says it all'],
  ['2026-03-01T09:00:00Z', 'Asia/Riyadh', '2026-03-01T09:00:00Z', 'Z is an offset'],
  ['2026-03-01T09:00', 'Asia/Riyadh', '2026-03-01T06:00:00Z', 'without one, the zone decides'],
  ['2026-03-01', 'Asia/Riyadh', '2026-02-28T21:00:00Z', "a date alone is its day's start"],
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00Z', 'a midnight that does not exist'],
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00Z', 'a gap moves forward'],
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00Z', 'twice means the first'],
  ['2026-02-30T09:00:00Z', 'UTC', null, 'no such day'],
  ['2026-03-01T25:00', 'UTC', null, 'no such hour'],
  ['tomorrow', 'UTC', null, 'no ISO 8601'],
]

for (const [text, zone, utc, why] of instants) {
  test(`${text} in ${zone} is ${utc}: ${why}`, () => {
    const parsed = parseInstant(text, zone)
    assert.equal(parsed === null ? null : formatUtc(parsed), utc)
  })
}
