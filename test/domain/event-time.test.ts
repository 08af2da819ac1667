import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { readWhen, readWhenOfQuery } from '../../src/domain/event-time.ts'
import { formatInZone } from '../../src/domain/zone-offset.ts'

const zones = [
  'Asia/Riyadh',
  'Africa/Cairo',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Asia/Beirut',
  'UTC',
]

const instants: [zone: string, text: string, shown: string, why: string][] = [
  ['Asia/Riyadh', '2026-03-01T09:00', '2026-03-01T09:00:00+03:00', 'a wall time'],
  ['Asia/Riyadh', '2026-03-01T09:00:59.999', '2026-03-01T09:00:59+03:00', 'fractions are dropped'],
  ['Asia/Riyadh', '2026-03-01T09:00Z', '2026-03-01T12:00:00+03:00', 'an instant in UTC'],
  ['Asia/Riyadh', '2026-03-01T09:00:00-05:00', '2026-03-01T17:00:00+03:00', 'an offset'],
  ['UTC', '2026-03-01T09:00:00', '2026-03-01T09:00:00+00:00', 'UTC shows an offset too'],
  ['Asia/Kathmandu', '2026-03-01T09:00', '2026-03-01T09:00:00+05:45', 'three quarters of an hour'],
  ['Pacific/Apia', '2026-03-01T09:00', '2026-03-01T09:00:00+13:00', 'the day begins here'],
  ['Africa/Cairo', '2026-04-24T00:30', '2026-04-24T01:30:00+03:00', 'a gap at midnight moves on'],
  ['Africa/Cairo', '2026-10-29T23:30', '2026-10-29T23:30:00+03:00', 'twice: the first'],
  ['Asia/Beirut', '2026-03-29T00:00', '2026-03-29T01:00:00+03:00', 'a gap at midnight moves on'],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T03:30:00-04:00', 'a gap moves on'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T01:30:00-04:00', 'twice: the first'],
  ['America/New_York', '2026-11-01T01:30-05:00', '2026-11-01T01:30:00-05:00', 'the second, named'],
]

test('a time is read and shown as the clocks of the zone show it', () => {
  for (const [zone, text, shown, why] of instants) {
    const when = readWhen(text, zone)
    assert.ok(when !== null && 'at' in when, `${why}: ${text}`)
    assert.equal(formatInZone(when.at, zone), shown, `${why}: ${zone}`)
  }
})

const days: [zone: string, date: string, first: string, last: string][] = [
  ['Asia/Riyadh', '2026-03-01', '2026-03-01T00:00:00+03:00', '2026-03-01T23:59:59+03:00'],
  ['Africa/Cairo', '2026-04-24', '2026-04-24T01:00:00+03:00', '2026-04-24T23:59:59+03:00'],
  ['Africa/Cairo', '2026-10-29', '2026-10-29T00:00:00+03:00', '2026-10-29T23:59:59+02:00'],
  ['America/New_York', '2026-03-08', '2026-03-08T00:00:00-05:00', '2026-03-08T23:59:59-04:00'],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T00:00:00-10:00', '2011-12-29T23:59:59-10:00'],
  ['UTC', '2024-02-29', '2024-02-29T00:00:00+00:00', '2024-02-29T23:59:59+00:00'],
]

test('a date is its day from the first second to the last, also without a midnight or with 25 hours', () => {
  for (const [zone, date, first, last] of days) {
    const when = readWhen(date, zone)
    assert.ok(when !== null && 'firstAt' in when, date)
    assert.equal(formatInZone(when.firstAt, zone), first)
    assert.equal(formatInZone(when.lastAt, zone), last)
  }
})

const nonsense = [
  '',
  ' ',
  'tomorrow',
  '2026-02-30',
  '2026-02-30T09:00',
  '2026-13-01',
  '2026-03-01T25:00',
  '2026-03-01T09:60',
  '2026-03-01T9:00',
  '2026-3-1',
  '2026-03-01T09:00+25:00',
  '2026-03-01T09:00 [Asia/Riyadh]',
  '20260301T0900',
  '1772355600',
  '2026-03-01T',
]

test('what is no date and no time is not read', () => {
  for (const text of nonsense) assert.equal(readWhen(text, 'Asia/Riyadh'), null, text)
})

test('an unescaped plus, which a query turns into a space, is read as one', () => {
  const sent = readWhenOfQuery('2026-03-01T09:00:00 03:00', 'UTC')
  assert.deepEqual(sent, readWhen('2026-03-01T09:00:00+03:00', 'UTC'))
  assert.equal(readWhenOfQuery('2026-03-01 09:00', 'UTC'), null)
})

const seconds = fc.integer({ min: -2_000_000_000, max: 4_000_000_000 })

test('what is shown names the instant, in every zone', () => {
  fc.assert(
    fc.property(seconds, fc.constantFrom(...zones), (second, zone) => {
      const shown = formatInZone(second * 1000, zone)
      const known = Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(zone)
      if (known.offsetNanoseconds % 6e10 === 0) {
        assert.equal(shown, known.toString({ timeZoneName: 'never', smallestUnit: 'second' }))
      }
      assert.equal(Date.parse(shown), second * 1000)
    }),
  )
})

// Before 1972 a zone may be some seconds off the minute that is shown of its offset.
const modern = fc.integer({ min: 100_000_000, max: 4_000_000_000 })

test('a wall time that is read in a zone and shown in it is the same, except in gaps', () => {
  fc.assert(
    fc.property(modern, fc.constantFrom(...zones), (second, zone) => {
      const wall = new Date(second * 1000).toISOString().slice(0, 19)
      const when = readWhen(wall, zone)
      assert.ok(when !== null && 'at' in when)
      const shown = formatInZone(when.at, zone).slice(0, 19)
      if (shown === wall) return
      const local = Temporal.PlainDateTime.from(wall)
      const isGap =
        local.toZonedDateTime(zone, { disambiguation: 'earlier' }).toPlainDateTime().toString() !==
        local.toString()
      assert.ok(isGap && shown > wall, `${wall} in ${zone} became ${shown}`)
    }),
    { numRuns: 500 },
  )
})
