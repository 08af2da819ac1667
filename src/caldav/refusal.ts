import type { Answer } from './exchange.ts'
import { type CalendarFailure, permanent, serverAt, temporary } from './failure.ts'

/** What the server may find wrong with one event (RFC 4791, 5.3.2.1), as it stands in the body of a 403 or 409. */
const CONDITION =
  /<(?:[\w-]+:)?(no-uid-conflict|valid-calendar-data|valid-calendar-object-resource|supported-calendar-data|supported-calendar-component|calendar-collection-location-ok|max-resource-size|min-date-time|max-date-time|max-instances|max-attendees-per-instance)\b/

/** What an answer means that nobody asked for. A refused event leaves the calendar in order, and so is not permanent. */
export function refusal(url: URL, method: string, { status, body }: Answer): CalendarFailure {
  const at = serverAt(url)
  const [, condition] = CONDITION.exec(body.toString('latin1')) ?? []
  if (status === 401) {
    return permanent(
      `${at} refuses the user name or the password (401): connect the calendar again with the right ones.`,
    )
  }
  if (condition === 'no-uid-conflict') {
    return temporary(
      `${at} already has this event under another name (${status}): remove the copy from the calendar.`,
    )
  }
  if (condition !== undefined) {
    return temporary(
      `${at} refuses this event (${status}, ${condition}): change what it objects to, or the limits of the server.`,
    )
  }
  if (status === 403) {
    return permanent(
      `${at} does not let this user ${method === 'PROPFIND' || method === 'GET' ? 'read' : 'write to'} the calendar (403): grant the right there, or connect the calendar again as another user.`,
    )
  }
  if (status === 429 || status === 503) {
    return temporary(
      `${at} has too much to do or is being serviced (${status}): if it stays so, look after it.`,
    )
  }
  if (status === 507) {
    return temporary(`${at} has no room left for this user (507): free some, or raise the quota.`)
  }
  if (status >= 500) return temporary(`${at} failed (${status}): look into its log.`)
  if (status === 400 || status === 413 || status === 415 || status === 422) {
    return temporary(
      `${at} refuses what it was sent (${status}): look into its log for the reason.`,
    )
  }
  return temporary(
    `${at} answers ${method} with ${status}: look into its log, and see that the address names a CalDAV calendar.`,
  )
}

export function noCalendar(url: URL, status: number): CalendarFailure {
  return permanent(
    `There is no calendar at ${url.href} (${status}): connect the calendar again with the address that its server gives for CalDAV.`,
  )
}
