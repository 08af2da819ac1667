import { lookup as resolve } from 'node:dns/promises'
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { cut, forbiddenAddress, tooLarge, tooSlow } from './failure.ts'
import { ForbiddenAddress, guarded, isForbiddenHost, type Lookup } from './forbidden.ts'

/** The quarter of a second that Node.js gives an address before it tries the next is less than a far server needs. */
const ADDRESS_PATIENCE = 3000

export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Cut at the cap where the status tells of no success; such a success is a failure. */
  readonly body: Buffer
}

export interface Terms {
  /** Ends whatever is under way. */
  readonly signal: AbortSignal
  /** In milliseconds, for the sentence that says what has run out. */
  readonly patience: number
  readonly mostBytes: number
  readonly lookup: Lookup
}

export function allAddresses(name: string): ReturnType<Lookup> {
  return resolve(name, { all: true })
}

/** One request on a connection of its own, which is closed when this settles. */
export async function exchange(asked: Asked, terms: Terms): Promise<Answer> {
  const { url } = asked
  if (isForbiddenHost(url.hostname)) throw forbiddenAddress(url)
  if (terms.signal.aborted) throw tooSlow(url, terms.patience)
  const request = send(asked, terms)
  const giveUp = (): void => {
    request.destroy()
  }
  terms.signal.addEventListener('abort', giveUp)
  try {
    return await heard(request, url, terms)
  } catch (error) {
    throw terms.signal.aborted ? tooSlow(url, terms.patience) : error
  } finally {
    terms.signal.removeEventListener('abort', giveUp)
    request.destroy()
  }
}

function send({ method, url, headers, body = '' }: Asked, { lookup }: Terms): ClientRequest {
  // As a string it would be sent in one piece with the headers, and turn an etag of Latin letters into UTF-8.
  const bytes = Buffer.from(body)
  const line = {
    keepAlive: false,
    lookup: guarded(lookup),
    autoSelectFamilyAttemptTimeout: ADDRESS_PATIENCE,
  }
  const options = {
    method,
    headers: {
      ...headers,
      'accept-encoding': 'identity',
      'user-agent': 'Majlis',
      'content-length': bytes.length,
    },
    insecureHTTPParser: false,
  }
  // Said aloud, so that no variable of the environment switches the check off.
  const request =
    url.protocol === 'https:'
      ? httpsRequest(url, {
          ...options,
          agent: new HttpsAgent({ ...line, rejectUnauthorized: true }),
        })
      : httpRequest(url, { ...options, agent: new HttpAgent(line) })
  request.end(bytes)
  return request
}

function heard(request: ClientRequest, url: URL, { mostBytes }: Terms): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let wasConnected = false

    // The listeners stay: what goes wrong after the answer is nobody's concern, and must not end the process.
    request.on('socket', (socket) => {
      socket.on('connect', () => {
        wasConnected = true
      })
    })
    request.on('error', fail)
    request.on('close', () => reject(cut(url, 'ECONNRESET', wasConnected)))
    request.on('response', take)

    function take(response: IncomingMessage): void {
      const status = response.statusCode ?? 0
      const parts: Buffer[] = []
      let length = 0
      response.on('data', (part: Buffer) => {
        length += part.length
        if (length <= mostBytes) parts.push(part)
        else if (status >= 200 && status < 300) reject(tooLarge(url, mostBytes))
        else finish()
      })
      response.on('end', () => {
        if (response.complete) finish()
      })
      response.on('error', fail)

      function finish(): void {
        resolve({ status, headers: response.headers, body: Buffer.concat(parts) })
      }
    }

    function fail(error: NodeJS.ErrnoException): void {
      reject(
        error instanceof ForbiddenAddress
          ? forbiddenAddress(url)
          : cut(url, error.code ?? 'ECONNRESET', wasConnected),
      )
    }
  })
}
