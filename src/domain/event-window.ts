/** Both bounds are part of it, in UTC milliseconds. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** As far as instants reach in either direction. */
export const ALWAYS: Window = { from: -8.64e15, to: 8.64e15 }

const QUARTER = 15 * 60_000
const QUARTERS_A_DAY = 96

/** Whole days and whole quarters of an hour, in UTC: midnight is the border of a quarter in every zone of today. */
export type Span = 'day' | 'quarter'

export interface Buckets {
  /** How many there are from one bucket up to, but not with, another. */
  sum(span: Span, from: number, until: number): number
  /** How many there are in a window, counted one by one. */
  count(from: number, to: number): number
}

export function bucketOf(span: Span, at: number): number {
  return Math.floor(at / (span === 'day' ? QUARTER * QUARTERS_A_DAY : QUARTER))
}

/** Counts what starts within a window by its whole days, then by the quarters at its ends, and only the rest one by one. */
export function countWindow({ from, to }: Window, { sum, count }: Buckets): number {
  const first = Math.ceil(from / QUARTER)
  const end = Math.floor((to + 1) / QUARTER)
  if (first >= end) return to < from ? 0 : count(from, to)
  const edges = count(from, first * QUARTER - 1) + count(end * QUARTER, to)
  const firstDay = Math.ceil(first / QUARTERS_A_DAY)
  const endDay = Math.floor(end / QUARTERS_A_DAY)
  if (firstDay >= endDay) return edges + sum('quarter', first, end)
  return (
    edges +
    sum('quarter', first, firstDay * QUARTERS_A_DAY) +
    sum('day', firstDay, endDay) +
    sum('quarter', endDay * QUARTERS_A_DAY, end)
  )
}
