import type { HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js'
import { Buffer } from 'node:buffer'
import { forwardedClient, plainAddress } from '../domain/ip.ts'
import {
  type Exchange,
  type Head,
  type RawBody,
  type Receive,
  TOO_LARGE,
  type Transport,
  type TransportOptions,
} from './exchange.ts'
import { FramingCheck } from './framing.ts'
import { whyNotListening } from './listening.ts'
import { CONTENT_TYPE, type HeaderLines, statusLine } from './reply.ts'

/** The addon, with what it exports beyond its types. */
type Uws = typeof import('uWebSockets.js') & {
  _cfg(setting: 'silent'): void
  LIBUS_LISTEN_EXCLUSIVE_PORT: number
}

type Listen = (
  host: string,
  port: number,
  options: number,
  done: (socket: us_listen_socket | false) => void,
) => void

/** What is thrown away of a refused body before its connection is closed. */
const MOST_DISCARDED = 64 * 1024 * 1024

/** Rejects where there is no binary for this machine. */
export async function loadUws(): Promise<Uws> {
  // The limit on a request's head is read when the addon loads; an Arabic letter costs six bytes in a URL.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '16384'
  return (await import('uWebSockets.js')) as Uws
}

export function uwsTransport(uws: Uws, receive: Receive, options: TransportOptions): Transport {
  uws._cfg('silent')
  const app = uws.App()
  const { onFault } = options
  const state: Server = { underway: 0, isDraining: false, onIdle: () => {}, onFault }
  const addressOf = addressReader(options.trustProxy)
  // One for all requests: it is done with before the next one comes.
  const framing = new FramingCheck()
  let listening: us_listen_socket | null = null

  app.any('/*', (res, req) => {
    framing.begin()
    req.forEach(framing.add)
    if (framing.isBroken) {
      res.close()
      return
    }
    const exchange = new UwsExchange(res, readHead(req, res, framing, addressOf), framing, state)
    exchange.guard(() => receive(exchange))
    exchange.outliveTurn()
  })

  return {
    listen(host, port) {
      return new Promise((resolve, reject) => {
        const listen = app.listen.bind(app) as unknown as Listen
        listen(host, port, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
          if (socket === false) return whyNotListening(host, port).then(reject)
          listening = socket
          resolve(uws.us_socket_local_port(socket as never))
        })
      })
    },
    async close(deadline) {
      state.isDraining = true
      if (listening) uws.us_listen_socket_close(listening)
      await idleOrLate(state, deadline)
      app.close()
    },
  }
}

interface Server {
  underway: number
  isDraining: boolean
  onIdle: () => void
  onFault: (error: unknown) => void
}

interface Answer {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: string
}

/** Once it has been ended, a response of uWebSockets.js throws at every touch: `#isOver` stands before each. */
class UwsExchange implements Exchange {
  readonly head: Head
  readonly #res: HttpResponse
  readonly #declaredLength: number
  readonly #server: Server
  #isOver = false
  #isLate = false
  #isPaused = false
  #chunks: Buffer[] = []
  #size = 0
  #hasEnded = false
  #cap = Number.POSITIVE_INFINITY
  #done: ((body: RawBody) => void) | null = null
  #held: Answer | null = null

  constructor(res: HttpResponse, head: Head, framing: FramingCheck, server: Server) {
    this.#res = res
    this.head = head
    this.#declaredLength = framing.declaredLength
    this.#server = server
    server.underway++
    // The body must be asked for in this turn, even if a gate still waits.
    if (head.hasBody || head.method !== 'GET') {
      res.onData((chunk, last) => this.guard(() => this.#take(chunk, last)))
    }
  }

  /** A throw out of a callback of uWebSockets.js would end the process. */
  guard(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#server.onFault(error)
      if (this.#isOver) return
      this.#leave()
      this.#res.close()
    }
  }

  /** Most are answered in the turn they came in: there no client can go away, and uWebSockets.js corks by itself. */
  outliveTurn(): void {
    if (this.#isOver) return
    this.#isLate = true
    this.#res.onAborted(() => this.#leave())
  }

  readBody(cap: number, done: (body: RawBody) => void): void {
    if (this.#isOver) return
    this.#cap = cap
    this.#done = done
    this.#resume()
    this.#deliver()
  }

  /**
   * A body that is refused goes on arriving, and is thrown away, so that the client gets to read the answer. One of
   * unknown length is waited for, as nothing can be closed after the answer; one without end is cut off.
   */
  send(status: number, headers: HeaderLines, body: string): void {
    if (this.#isOver || this.#held !== null) return
    const answer = { status, headers, body }
    this.#chunks = []
    this.#done = null
    this.#resume()
    if (this.#hasEnded || this.#declaredLength <= MOST_DISCARDED) this.#write(answer, false)
    else if (Number.isFinite(this.#declaredLength)) this.#write(answer, true)
    else this.#held = answer
  }

  #write(answer: Answer, isLast: boolean): void {
    this.#leave()
    if (this.#isLate) this.#res.cork(() => this.#put(answer, isLast))
    else this.#put(answer, isLast)
  }

  #put({ status, headers, body }: Answer, isLast: boolean): void {
    // 200 is what uWebSockets.js says by itself.
    if (status !== 200) this.#res.writeStatus(statusLine(status))
    this.#res.writeHeader('Content-Type', CONTENT_TYPE + headers)
    if (this.head.method === 'HEAD') {
      // Given the length as an argument, endWithoutBody leaves the response pending and the connection unusable.
      this.#res.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      this.#res.endWithoutBody()
    } else this.#res.end(body, isLast || this.#server.isDraining)
  }

  #take(chunk: ArrayBuffer, last: boolean): void {
    this.#size += chunk.byteLength
    this.#hasEnded = last
    if (this.#isOver) return
    if (this.#held !== null) {
      if (last || this.#size > MOST_DISCARDED) this.#write(this.#held, !last)
      return
    }
    if (this.#size <= this.#cap) this.#chunks.push(Buffer.from(new Uint8Array(chunk)))
    if (this.#done === null && !last) this.#pause()
    this.#deliver()
  }

  #deliver(): void {
    const done = this.#done
    if (done === null) return
    const isTooLarge = this.#size > this.#cap
    if (!isTooLarge && !this.#hasEnded) return
    this.#done = null
    const body = isTooLarge ? TOO_LARGE : Buffer.concat(this.#chunks)
    this.#chunks = []
    done(body)
  }

  #pause(): void {
    this.#isPaused = true
    this.#res.pause()
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#res.resume()
  }

  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#done = null
    this.#server.underway--
    if (this.#server.underway === 0) this.#server.onIdle()
  }
}

function readHead(
  req: HttpRequest,
  res: HttpResponse,
  framing: FramingCheck,
  addressOf: (res: HttpResponse, forwarded: string) => string,
): Head {
  return {
    method: req.getCaseSensitiveMethod(),
    path: req.getUrl(),
    query: req.getQuery() ?? '',
    authorization: framing.authorization,
    ip: addressOf(res, framing.forwardedFor),
    hasBody: framing.declaredLength > 0,
  }
}

function addressReader(trustProxy: boolean): (res: HttpResponse, forwarded: string) => string {
  const texts = new Map<number, string>()

  return (res, forwarded) => {
    const client = trustProxy ? forwardedClient(forwarded) : null
    if (client !== null) return client
    const bytes = res.getRemoteAddress()
    if (bytes.byteLength !== 4) return plainAddress(text(res))
    const key = new Uint32Array(bytes)[0] as number
    let known = texts.get(key)
    if (known === undefined) {
      if (texts.size >= 10_000) texts.clear()
      known = new Uint8Array(bytes).join('.')
      texts.set(key, known)
    }
    return known
  }
}

function text(res: HttpResponse): string {
  return Buffer.from(res.getRemoteAddressAsText()).toString('latin1')
}

/** Until nothing is under way, also after one more turn: an open connection may bring a request at any moment. */
async function idleOrLate(server: Server, deadline: number): Promise<void> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    server.onIdle()
  }, deadline)
  do {
    if (server.underway > 0) await new Promise<void>((resolve) => (server.onIdle = resolve))
    // The last answer leaves before its socket is closed.
    await new Promise(setImmediate)
  } while (server.underway > 0 && !isLate)
  clearTimeout(timer)
}
