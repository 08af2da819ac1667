import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInZone } from '../../src/domain/zone-offset.ts'

const shown: [zone: string, instant: string, text: string, why: string][] = [
  ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00', 'the second before'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00', 'the change itself'],
  ['Europe/Berlin', '2026-10-25T00:59:59Z', '2026-10-25T02:59:59+02:00', 'the first time'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00', 'the second time'],
  ['Asia/Riyadh', '1940-01-01T00:00:00Z', '1940-01-01T03:07:00+03:07', 'an offset with seconds'],
  ['America/St_Johns', '2026-01-01T00:00:00Z', '2025-12-31T20:30:00-03:30', 'half an hour west'],
]

test('the offset is right up to the change and from it on, in whatever order it is asked for', () => {
  for (const order of [shown, [...shown].reverse()]) {
    for (const [zone, instant, text, why] of order) {
      assert.equal(formatInZone(Date.parse(instant), zone), text, why)
    }
  }
})
