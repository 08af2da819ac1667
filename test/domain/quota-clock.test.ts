import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUtc } from '../../src/domain/instant.ts'
import { companyDay, secondsUntil } from '../../src/domain/quota-clock.ts'

const table: [
  zone: string,
  now: string,
  date: string,
  starts: string,
  ends: string,
  why: string,
][] = [
  [
    'UTC',
    '2026-03-01T12:00:00Z',
    '2026-03-01',
    '2026-03-01T00:00:00Z',
    '2026-03-02T00:00:00Z',
    'the plain case',
  ],
  [
    'Asia/Riyadh',
    '2026-03-01T20:59:59Z',
    '2026-03-01',
    '2026-02-28T21:00:00Z',
    '2026-03-01T21:00:00Z',
    'a second before midnight there',
  ],
  [
    'Asia/Riyadh',
    '2026-03-01T21:00:00Z',
    '2026-03-02',
    '2026-03-01T21:00:00Z',
    '2026-03-02T21:00:00Z',
    'midnight begins the next day',
  ],
  [
    'Asia/Kathmandu',
    '2026-03-01T18:15:00Z',
    '2026-03-02',
    '2026-03-01T18:15:00Z',
    '2026-03-02T18:15:00Z',
    'an offset of 5:45',
  ],
  [
    'Africa/Cairo',
    '2026-04-23T12:00:00Z',
    '2026-04-23',
    '2026-04-22T22:00:00Z',
    '2026-04-23T22:00:00Z',
    'the next midnight does not exist',
  ],
  [
    'Africa/Cairo',
    '2026-04-24T12:00:00Z',
    '2026-04-24',
    '2026-04-23T22:00:00Z',
    '2026-04-24T21:00:00Z',
    'a day of 23 hours',
  ],
  [
    'Africa/Cairo',
    '2026-10-29T12:00:00Z',
    '2026-10-29',
    '2026-10-28T21:00:00Z',
    '2026-10-29T22:00:00Z',
    'a day of 25 hours',
  ],
  [
    'Asia/Beirut',
    '2026-03-29T12:00:00Z',
    '2026-03-29',
    '2026-03-28T22:00:00Z',
    '2026-03-29T21:00:00Z',
    'no midnight either',
  ],
  [
    'Pacific/Apia',
    '2026-03-01T12:00:00Z',
    '2026-03-02',
    '2026-03-01T11:00:00Z',
    '2026-03-02T11:00:00Z',
    'east of the date line',
  ],
  [
    'America/New_York',
    '2026-11-01T12:00:00Z',
    '2026-11-01',
    '2026-11-01T04:00:00Z',
    '2026-11-02T05:00:00Z',
    'the clock is set back',
  ],
]

for (const [zone, now, date, starts, ends, why] of table) {
  test(`the day of ${zone} at ${now} is ${date}: ${why}`, () => {
    const day = companyDay(zone, Date.parse(now))
    assert.deepEqual(
      { date: day.date, starts: formatUtc(day.startsAt), ends: formatUtc(day.endsAt) },
      { date, starts, ends },
    )
  })
}

test('seconds until an instant are rounded up and never less than one', () => {
  assert.equal(secondsUntil(10_000, 8_001), 2)
  assert.equal(secondsUntil(10_000, 10_000), 1)
})
