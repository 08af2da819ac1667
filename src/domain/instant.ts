import { Temporal } from 'temporal-polyfill'

/** Instants live in UTC milliseconds and are shown to the second. */
export function formatUtc(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

export function formatUtcOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatUtc(milliseconds)
}

const CALENDAR_DAY = /^\d{4}-\d{2}-\d{2}$/

/** `2026-02-28` is a day, `2026-02-30` is none. */
export function isCalendarDay(text: string): boolean {
  if (!CALENDAR_DAY.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const ISO_8601 =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/i

/**
 * An ISO 8601 text as UTC milliseconds, or null. A time without an offset is a wall time in `timeZone`; one that a
 * DST change skips moves forward by the gap, one that occurs twice means the first. A date alone is its day's start.
 */
export function parseInstant(text: string, timeZone: string): number | null {
  const match = ISO_8601.exec(text)
  if (!match || !isCalendarDay(text.slice(0, 10))) return null
  try {
    if (match[1]) return Temporal.Instant.from(text).epochMilliseconds
    if (text.length === 10) {
      return Temporal.PlainDate.from(text).toZonedDateTime(timeZone).epochMilliseconds
    }
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone, {
      disambiguation: 'compatible',
    }).epochMilliseconds
  } catch {
    return null
  }
}
