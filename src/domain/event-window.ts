/** Both bounds are part of it, in UTC milliseconds. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** As far as instants reach in either direction. */
export const ALWAYS: Window = { from: -8.64e15, to: 8.64e15 }

const QUARTER = 15 * 60_000
const DAY = 96 * QUARTER

/** In UTC, from the longest to the shortest: midnight is the border of a quarter in every zone of today. */
export const spans = [
  { span: 'season', length: 64 * DAY },
  { span: 'day', length: DAY },
  { span: 'quarter', length: QUARTER },
] as const

export type Span = (typeof spans)[number]['span']

export interface Buckets {
  /** How many there are from one bucket up to, but not with, another. */
  sum(span: Span, from: number, until: number): number
  /** How many there are in a window, counted one by one. */
  count(from: number, to: number): number
}

/** Counts what starts within a window by its longest spans, by shorter ones at its ends, and only the rest one by one. */
export function countWindow({ from, to }: Window, buckets: Buckets): number {
  return to < from ? 0 : countBetween(from, to + 1, buckets, 0)
}

function countBetween(from: number, until: number, buckets: Buckets, level: number): number {
  if (from === until) return 0
  const next = spans[level]
  if (next === undefined) return buckets.count(from, until - 1)
  const { span, length } = next
  const first = Math.ceil(from / length)
  const end = Math.floor(until / length)
  if (first >= end) return countBetween(from, until, buckets, level + 1)
  return (
    countBetween(from, first * length, buckets, level + 1) +
    buckets.sum(span, first, end) +
    countBetween(end * length, until, buckets, level + 1)
  )
}
