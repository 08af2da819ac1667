import { NAME_LIMIT } from '../domain/text.ts'
import { isHref, readCalendarUrl } from './calendar-url.ts'
import { type Answer, allAddresses, type Terms } from './exchange.ts'
import { garbled, permanent, serverAt, temporary } from './failure.ts'
import type { Lookup } from './forbidden.ts'
import { ASK_PROPERTIES, type Properties, readMultistatus } from './multistatus.ts'
import { ask } from './redirect.ts'
import { noCalendar, refusal } from './refusal.ts'

export { hrefOf, readCalendarUrl } from './calendar-url.ts'

const PATIENCE = 20_000
const MOST_BYTES = 1024 * 1024
const LONGEST_ETAG = 1000

export interface CalendarAccess {
  /** Names the calendar collection. */
  url: string
  username: string
  password: string
}

export type PutOutcome =
  | { kind: 'kept'; etag: string | null }
  /** It is there and should not be, or is not what the etag says. */
  | { kind: 'conflict' }
  /** What should be replaced is not there any more. The calendar itself is. */
  | { kind: 'gone' }

/** Whatever else happens rejects with a `CalendarFailure`. */
export interface CalendarClient {
  /** That it is a calendar collection and takes the password; answers its display name. */
  probe(): Promise<{ name: string | null }>
  /** Creates with the etag null, and replaces with another. */
  put(href: string, text: string, etag: string | null): Promise<PutOutcome>
  /** Null where it is not there, and the calendar itself is. */
  get(href: string): Promise<{ text: string; etag: string | null } | null>
  /** Removes whatever is there with the etag null. */
  remove(href: string, etag: string | null): Promise<'removed' | 'absent' | 'conflict'>
}

export interface CalendarOptions {
  /** In milliseconds, for one operation with all that it asks. */
  patience?: number
  /** Of one answer. */
  mostBytes?: number
  lookup?: Lookup
}

export function caldavClient(
  access: CalendarAccess,
  { patience = PATIENCE, mostBytes = MOST_BYTES, lookup = allAddresses }: CalendarOptions = {},
): CalendarClient {
  return {
    probe: () => within((calendar) => probe(calendar)),
    put: (href, text, etag) => within((calendar) => put(calendar, href, text, etag)),
    get: (href) => within((calendar) => get(calendar, href)),
    remove: (href, etag) => within((calendar) => remove(calendar, href, etag)),
  }

  async function within<T>(work: (calendar: Calendar) => Promise<T>): Promise<T> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), patience)
    try {
      return await work(open(access, { signal: deadline.signal, patience, mostBytes, lookup }))
    } finally {
      clearTimeout(timer)
    }
  }
}

interface Calendar {
  readonly url: URL
  /** Of an object, or of the collection with the href null. */
  ask(
    method: string,
    href: string | null,
    headers?: Record<string, string>,
    body?: string,
  ): Promise<Answer>
}

function open({ url: written, username, password }: CalendarAccess, terms: Terms): Calendar {
  const address = readCalendarUrl(written)
  if (address === null) {
    throw permanent(
      'The address of the calendar is no http or https URL, or has a user name, a question mark or a hash sign in it: connect the calendar again with its plain address.',
    )
  }
  const url = new URL(address)
  // A colon ends the user name in Basic authentication, which has no way to quote it.
  if (/[:\p{Cc}]/u.test(username) || /\p{Cc}/u.test(password)) {
    throw permanent(
      `The user name for ${url.host} has a colon or a control character in it, or the password has a control character: connect the calendar again with others.`,
    )
  }
  return {
    url,
    async ask(method, href, headers = {}, body = '') {
      if (href !== null && !isHref(href)) {
        throw temporary(`A name that is none of Majlis's own was not sent to ${url.host}.`)
      }
      const target = href === null ? url : new URL(href, url)
      return ask({ method, url: target, headers, body }, { username, password }, terms)
    },
  }
}

async function probe(calendar: Calendar): Promise<{ name: string | null }> {
  const { url } = calendar
  const answer = await calendar.ask('PROPFIND', null, ...PROPFIND)
  if ([404, 405, 410, 501].includes(answer.status)) throw noCalendar(url, answer.status)
  const { isMissing, isCalendar, takesEvents, name } = properties(calendar, answer)
  if (isMissing || !isCalendar) throw noCalendar(url, answer.status)
  if (!takesEvents) {
    throw permanent(
      `The calendar at ${url.href} takes no events, only tasks or notes: connect another.`,
    )
  }
  return {
    name: name === null ? null : [...name.replace(/\p{Cc}/gu, ' ')].slice(0, NAME_LIMIT).join(''),
  }
}

async function put(
  calendar: Calendar,
  href: string,
  text: string,
  etag: string | null,
): Promise<PutOutcome> {
  const condition =
    etag === null ? { 'if-none-match': '*' } : { 'if-match': sendable(calendar, etag) }
  const headers = { ...condition, 'content-type': 'text/calendar; charset=utf-8' }
  const answer = await calendar.ask('PUT', href, headers, text)
  const failure = refusal(calendar.url, 'PUT', answer)
  switch (answer.status) {
    case 200:
    case 201:
    case 204:
      return { kind: 'kept', etag: etagOf(answer) ?? (await keptEtag(calendar, href)) }
    case 412:
      // An absent object fails a condition as a changed one does.
      if (etag !== null && (await look(calendar, href)) === null) return { kind: 'gone' }
      return { kind: 'conflict' }
    case 404:
    case 410:
      await probe(calendar)
      if (etag === null) throw failure
      return { kind: 'gone' }
    case 409:
      // RFC 4918 (9.7.1): so also where the collection is missing.
      await probe(calendar)
      throw failure
    default:
      throw failure
  }
}

/** A server that changes what it keeps tells no etag: the text sent is not the text kept (RFC 4791, 5.3.4). */
async function keptEtag(calendar: Calendar, href: string): Promise<string | null> {
  const seen = await look(calendar, href)
  if (seen !== null) return seen.etag
  throw garbled(calendar.url, 'that it has kept an event, and then does not have it')
}

async function get(
  calendar: Calendar,
  href: string,
): Promise<{ text: string; etag: string | null } | null> {
  const answer = await calendar.ask('GET', href)
  if (isNotFound(answer)) return absentFrom(calendar)
  if (answer.status !== 200) throw refusal(calendar.url, 'GET', answer)
  const text = textOf(calendar, answer)
  if (!isWholeEvent(text)) throw garbled(calendar.url, 'with something that is no whole event')
  return { text, etag: etagOf(answer) ?? (await look(calendar, href))?.etag ?? null }
}

async function remove(
  calendar: Calendar,
  href: string,
  etag: string | null,
): Promise<'removed' | 'absent' | 'conflict'> {
  const condition = etag === null ? {} : { 'if-match': sendable(calendar, etag) }
  const answer = await calendar.ask('DELETE', href, condition)
  if (answer.status === 200 || answer.status === 204) return 'removed'
  if (isNotFound(answer)) return (await absentFrom(calendar)) ?? 'absent'
  if (answer.status !== 412) throw refusal(calendar.url, 'DELETE', answer)
  return (await look(calendar, href)) === null ? 'absent' : 'conflict'
}

/** What the server tells of an object, of which the etag matters; null where it is not there. */
async function look(calendar: Calendar, href: string): Promise<{ etag: string | null } | null> {
  const answer = await calendar.ask('PROPFIND', href, ...PROPFIND)
  if (isNotFound(answer)) return absentFrom(calendar)
  const { isMissing, etag } = properties(calendar, answer)
  return isMissing ? absentFrom(calendar) : { etag: usable(etag) }
}

/** A wrong address or a proxy in trouble has no objects either: only a calendar that is there can miss one. */
async function absentFrom(calendar: Calendar): Promise<null> {
  await probe(calendar)
  return null
}

function isNotFound({ status }: Answer): boolean {
  return status === 404 || status === 410
}

const PROPFIND = [
  { depth: '0', 'content-type': 'application/xml; charset=utf-8' },
  ASK_PROPERTIES,
] as const

function properties(calendar: Calendar, answer: Answer): Properties {
  if (answer.status !== 207) throw refusal(calendar.url, 'PROPFIND', answer)
  const read = readMultistatus(textOf(calendar, answer))
  if (read === null) throw garbled(calendar.url, 'PROPFIND with something that is no WebDAV')
  return read
}

function textOf({ url }: Calendar, { headers, body }: Answer): string {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw garbled(url, 'compressed, though nobody asked for that')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw garbled(url, 'with text that is not UTF-8')
  }
}

function isWholeEvent(text: string): boolean {
  const upper = text.trim().toUpperCase()
  return upper.startsWith('BEGIN:VCALENDAR') && upper.endsWith('END:VCALENDAR')
}

function etagOf({ headers }: Answer): string | null {
  return usable(headers.etag ?? null)
}

/** As it came, weak or oddly quoted; but an asterisk would match whatever is there. */
function usable(etag: string | null): string | null {
  return etag !== null && isUsable(etag) ? etag : null
}

function isUsable(etag: string): boolean {
  const isPrintable = /^[\x20-\x7e\x80-\xff]+$/.test(etag)
  return isPrintable && etag.length <= LONGEST_ETAG && /[^\s*,]/.test(etag)
}

function sendable({ url }: Calendar, etag: string): string {
  if (isUsable(etag)) return etag
  throw temporary(
    `${serverAt(url)} once gave an etag that cannot be sent back to it: read the event again.`,
  )
}
