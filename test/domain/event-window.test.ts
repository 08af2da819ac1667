import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ALWAYS, bucketOf, countWindow, type Span } from '../../src/domain/event-window.ts'

const HOUR = 3_600_000
const moment = fc.integer({ min: -200 * HOUR, max: 200 * HOUR })

function countedBy(starts: readonly number[], log: string[] = []) {
  return {
    sum(span: Span, from: number, until: number): number {
      log.push(`${until - from} ${span}`)
      return starts.filter((at) => bucketOf(span, at) >= from && bucketOf(span, at) < until).length
    },
    count(from: number, to: number): number {
      log.push('one by one')
      return starts.filter((at) => at >= from && at <= to).length
    },
  }
}

test('counting by days and quarters gives what counting one by one gives', () => {
  fc.assert(
    fc.property(fc.array(moment), moment, moment, (starts, from, to) => {
      const plain = starts.filter((at) => at >= from && at <= to).length
      assert.equal(countWindow({ from, to }, countedBy(starts)), plain)
    }),
    { numRuns: 1000 },
  )
})

test('the whole of time is counted by days', () => {
  const starts = [-5e12, -1, 0, 1, 5e12]
  assert.equal(countWindow(ALWAYS, countedBy(starts)), 5)
})

test('from a midnight on, nothing is counted one by one that is not at the very end', () => {
  const log: string[] = []
  const counted: [number, number][] = []
  const buckets = countedBy([], log)
  countWindow(
    { from: 21 * HOUR, to: ALWAYS.to },
    {
      sum: buckets.sum,
      count(from, to) {
        counted.push([from, to])
        return 0
      },
    },
  )
  for (const [from, to] of counted) assert.ok(to < from || from > 8e15, `${from} to ${to}`)
})
