import { Temporal } from 'temporal-polyfill'

/** One day of a company: its date there, and the two midnights around it. */
export interface CompanyDay {
  date: string
  startsAt: number
  endsAt: number
}

/** The company's day at `now`. A day whose midnight a DST change skips starts at its first instant. */
export function companyDay(timeZone: string, now: number): CompanyDay {
  const today = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(timeZone)
    .startOfDay()
  const date = today.toPlainDate()
  return {
    date: date.toString(),
    startsAt: today.epochMilliseconds,
    endsAt: date.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds,
  }
}

/** Whole seconds from `now` to a later instant, never less than one: what `Retry-After` says. */
export function secondsUntil(instant: number, now: number): number {
  return Math.max(1, Math.ceil((instant - now) / 1000))
}
