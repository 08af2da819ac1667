import { Temporal } from 'temporal-polyfill'

/** From one change of a zone's offset to the next. */
interface Span {
  readonly from: number
  readonly until: number
  readonly offset: number
}

const MINUTE = 60_000

/** Changes come twice a year at most: what was looked up once answers for months. */
const known = new Map<string, Span[]>()
const MOST_SPANS = 1_000

/** `2026-03-01T09:00:00+03:00`: the wall time of the zone, to the second. */
export function formatInZone(milliseconds: number, timeZone: string): string {
  const offset = spanAt(milliseconds, timeZone).offset
  const wall = new Date(milliseconds + offset).toISOString().slice(0, 19)
  return wall + offsetText(offset)
}

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE)
  const hour = String(Math.floor(minutes / 60)).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${hour}:${String(minutes % 60).padStart(2, '0')}`
}

function spanAt(milliseconds: number, timeZone: string): Span {
  let spans = known.get(timeZone)
  const found = spans?.find(({ from, until }) => from <= milliseconds && milliseconds < until)
  if (found !== undefined) return found
  if (spans === undefined || spans.length >= MOST_SPANS) {
    spans = []
    known.set(timeZone, spans)
  }
  const span = lookUp(milliseconds, timeZone)
  spans.push(span)
  return span
}

function lookUp(milliseconds: number, timeZone: string): Span {
  const there = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timeZone)
  const next = there.getTimeZoneTransition('next')
  // The last change may be the very instant asked for, and `previous` looks before it.
  const last = there.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  return {
    from: last?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    // To the minute, as it is written: of old there were offsets with seconds.
    offset: Math.round(there.offsetNanoseconds / 6e10) * MINUTE,
  }
}
