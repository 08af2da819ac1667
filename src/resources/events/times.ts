import { readWhen, readWhenOfQuery, type When } from '../../domain/event-time.ts'
import { ALWAYS, type Window } from '../../domain/event-window.ts'
import { companyDay } from '../../domain/quota-clock.ts'
import { unprocessable } from '../../http/errors.ts'
import type { EventRow } from './store.ts'

interface SentTimes {
  starts_at?: string | undefined
  ends_at?: string | undefined
  all_day?: boolean | undefined
}

export interface EventTimes {
  startsAt: number
  endsAt: number
  allDay: boolean
}

/** What was sent, over what is there. A date alone is its whole day, and only an event of whole days may say so. */
export function readTimes(sent: SentTimes, zone: string, current: EventRow | null): EventTimes {
  const allDay = sent.all_day ?? current?.all_day === 1
  const starts = readSide('starts_at', sent.starts_at, zone, allDay)
  const ends = readSide('ends_at', sent.ends_at, zone, allDay)
  const faults = [starts, ends].filter((side) => typeof side === 'string')
  if (faults.length > 0) throw unprocessable(faults.join('; '))
  const startsAt = first(starts as When | null) ?? (current as EventRow).starts_at
  const endsAt = last(ends as When | null) ?? (current as EventRow).ends_at
  if (endsAt < startsAt) throw unprocessable("ends_at can't be before starts_at")
  return { startsAt, endsAt, allDay }
}

/** A fault is a sentence; null is what was not sent. */
function readSide(
  field: string,
  text: string | undefined,
  zone: string,
  allDay: boolean,
): When | string | null {
  if (text === undefined) return null
  const when = readWhen(text, zone)
  if (when === null) {
    return `${field} must be a real date and time in ISO 8601, such as 2026-03-01T09:00`
  }
  if ('at' in when || allDay) return when
  return `${field} must have a time of day unless all_day is true`
}

function first(when: When | null): number | null {
  if (when === null) return null
  return 'at' in when ? when.at : when.firstAt
}

function last(when: When | null): number | null {
  if (when === null) return null
  return 'at' in when ? when.at : when.lastAt
}

export interface WindowQuery {
  from: string | null
  to: string | null
  include_past: boolean
}

/** spec: Events. An explicit window overrides `include_past`; without either, the past ends with yesterday. */
export function readWindow(query: WindowQuery, zone: string, now: number): Window {
  const { from, to, include_past: includesPast } = query
  if (from !== null || to !== null) {
    return {
      from: first(readBound('from', from, zone)) ?? ALWAYS.from,
      to: last(readBound('to', to, zone)) ?? ALWAYS.to,
    }
  }
  return includesPast ? ALWAYS : { from: companyDay(zone, now).startsAt, to: ALWAYS.to }
}

function readBound(name: string, text: string | null, zone: string): When | null {
  if (text === null) return null
  const when = readWhenOfQuery(text, zone)
  if (when === null) {
    throw unprocessable(`${name} must be a real date, or a date and time in ISO 8601`)
  }
  return when
}
