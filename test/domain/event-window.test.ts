import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ALWAYS, countWindow, type Span, spans } from '../../src/domain/event-window.ts'

const HOUR = 3_600_000
const moment = fc.integer({ min: -5_000 * HOUR, max: 5_000 * HOUR })

function countedBy(starts: readonly number[], log: string[] = []) {
  return {
    sum(span: Span, from: number, until: number): number {
      log.push(`${until - from} ${span}`)
      const { length } = spans.find((each) => each.span === span) as (typeof spans)[number]
      return starts.filter((at) => at >= from * length && at < until * length).length
    },
    count(from: number, to: number): number {
      log.push('one by one')
      return starts.filter((at) => at >= from && at <= to).length
    },
  }
}

test('counting by spans gives what counting one by one gives', () => {
  fc.assert(
    fc.property(fc.array(moment), moment, moment, (starts, from, to) => {
      const plain = starts.filter((at) => at >= from && at <= to).length
      assert.equal(countWindow({ from, to }, countedBy(starts)), plain)
    }),
    { numRuns: 1000 },
  )
})

test('the whole of time is counted by its longest spans', () => {
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
