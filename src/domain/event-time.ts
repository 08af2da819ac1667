import { Temporal } from 'temporal-polyfill'
import { isCalendarDay, parseInstant } from './instant.ts'
import { formatInZone } from './zone-offset.ts'

/** An instant, or a whole day of the company from its first to its last second, in UTC milliseconds. */
export type When = { readonly at: number } | { readonly firstAt: number; readonly lastAt: number }

const SECOND = 1000

/** ISO 8601. What carries no offset is a wall time in `timeZone`; fractions of seconds are dropped, as none are shown. */
export function readWhen(text: string, timeZone: string): When | null {
  if (isLeapSecond(text)) return null
  const at = parseInstant(text, timeZone)
  if (at === null || !isShowable(formatInZone(at, timeZone))) return null
  if (isCalendarDay(text)) return dayOf(text, timeZone)
  return { at: Math.floor(at / SECOND) * SECOND }
}

/** The first and the last year of four digits are left out: in another zone they would lie in years that have none. */
function isShowable(shown: string): boolean {
  return /^\d{4}-/.test(shown) && !/^(?:0000|9999)-/.test(shown)
}

/** Clocks do not show it, and events do not begin in it. */
function isLeapSecond(text: string): boolean {
  return /T\d\d:\d\d:60/i.test(text)
}

/** A day whose midnight a DST change skips starts at its first instant. */
function dayOf(date: string, timeZone: string): When | null {
  try {
    const day = Temporal.PlainDate.from(date)
    const startOf = (each: Temporal.PlainDate): number =>
      each.toZonedDateTime(timeZone).epochMilliseconds
    return { firstAt: startOf(day), lastAt: startOf(day.add({ days: 1 })) - SECOND }
  } catch {
    return null
  }
}

/** In a query an unescaped `+` arrives as a space: `2026-03-01T09:00:00 03:00`. */
export function readWhenOfQuery(text: string, timeZone: string): When | null {
  return readWhen(text.replace(/(T.*) (\d\d:\d\d)$/i, '$1+$2'), timeZone)
}
