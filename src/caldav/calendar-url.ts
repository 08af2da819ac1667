import { createHash } from 'node:crypto'

const LONGEST = 2000
/** Not what a URL would quietly put right: a forgotten slash, a backslash, a line break in the middle. */
const WRITTEN = /^https?:\/\/[^/\s\p{Cc}\\?#][^\s\p{Cc}\\?#]*$/iu

/** The address of a calendar as it is kept, with the slash that ends a collection; null for all that is none. */
export function readCalendarUrl(text: string): string | null {
  const written = text.trim()
  if (written.length > LONGEST || !WRITTEN.test(written) || !URL.canParse(written)) return null
  const url = new URL(written)
  // An `@` with nothing before it leaves no trace in the URL. Port 0 would be taken for the usual one.
  if (written.split('/')[2]?.includes('@') || url.port === '0') return null
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url.href
}

/** Lower case only: some servers keep objects as files on a disk that does not tell `A` from `a`. */
const PLAIN_UID = /^[a-z0-9-]{1,64}$/
const HREF = /^[a-z0-9_-]+\.ics$/

/** The name of an object inside its collection. Two uids never share one. */
export function hrefOf(uid: string): string {
  if (PLAIN_UID.test(uid)) return `${uid}.ics`
  return `uid_${createHash('sha256').update(uid).digest('hex')}.ics`
}

/** Whether `hrefOf` could have made it: nothing else is put into a request. */
export function isHref(text: string): boolean {
  return HREF.test(text)
}
