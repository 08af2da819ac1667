import { excerpt } from '../domain/text.ts'
import { type Answer, type Asked, exchange, type Terms } from './exchange.ts'
import { type CalendarFailure, garbled, serverAt, temporary } from './failure.ts'

const MOST_REDIRECTS = 3
const SEE_OTHER = 303
const REDIRECTS = new Set([301, 302, SEE_OTHER, 307, 308])

export interface Secrets {
  readonly username: string
  readonly password: string
}

/**
 * Asks with the credentials, and follows the server about its own house only: the same scheme, host and port, or from
 * http to https on the same host. The method stays, as WebDAV needs.
 */
export async function ask(asked: Asked, secrets: Secrets, terms: Terms): Promise<Answer> {
  const authorization = basic(secrets)
  const headers = { ...asked.headers, authorization }
  let { url } = asked
  for (let followed = 0; ; followed++) {
    const answer = await exchange({ ...asked, url, headers }, terms)
    if (!REDIRECTS.has(answer.status)) return answer
    if (followed === MOST_REDIRECTS) {
      throw temporary(
        `${serverAt(url)} redirects in circles: connect the calendar with the address where it ends, or mend the server's redirects.`,
      )
    }
    const target = readTarget(answer.headers.location, url)
    if (!isSameHouse(url, target)) throw away(url, target, [secrets.password, authorization])
    // A login page would take anything, and say that all is well.
    if (answer.status === SEE_OTHER || lastName(target) !== lastName(url)) throw elsewhere(url)
    url = target
  }
}

function basic({ username, password }: Secrets): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

function readTarget(location: string | undefined, url: URL): URL {
  if (location === undefined || !URL.canParse(location, url.href)) {
    throw garbled(url, 'with a redirect that names no address')
  }
  const target = new URL(location, url)
  target.hash = ''
  return target
}

function isSameHouse(from: URL, to: URL): boolean {
  if (to.username !== '' || to.password !== '') return false
  if (to.origin === from.origin) return true
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:'
  return isUpgrade && to.hostname === from.hostname && (to.port === '' || to.port === from.port)
}

function lastName({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf('/') + 1)
}

function away(from: URL, to: URL, secrets: readonly string[]): CalendarFailure {
  const host = `${to.protocol}//${to.host}`
  // Host names come in lower case, whatever the server wrote.
  const tellsSecret = secrets.some((secret) => host.includes(secret.toLowerCase()))
  const named = tellsSecret ? 'another server' : excerpt(host)
  return temporary(
    `${serverAt(from)} redirects to ${named}, where the password does not go: if the calendar has moved, connect it with its new address.`,
  )
}

function elsewhere(url: URL): CalendarFailure {
  return temporary(
    `${serverAt(url)} redirects to another page, perhaps to its login: connect the calendar with the address that its server gives for CalDAV.`,
  )
}
