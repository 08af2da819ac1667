import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ByteSource } from '../domain/byte-source.ts'
import { forwardedClient, plainAddress } from '../domain/ip.ts'
import {
  type Exchange,
  type Head,
  type RawBody,
  type Receive,
  STALLED_AFTER,
  TOO_LARGE,
  type Transport,
  type TransportOptions,
} from './exchange.ts'
import { FramingCheck } from './framing.ts'
import { listenFailure } from './listening.ts'
import { downloadOverNode } from './node-download.ts'
import { CONTENT_TYPE, type HeaderLines } from './reply.ts'
import { Slices } from './slices.ts'

const MAX_HEAD = 16_384
const KEEP_ALIVE = 10_000
/** A request line may name the host too, as clients of proxies do. */
const ABSOLUTE = /^https?:\/\/[^/?]*/i

/** For machines where uWebSockets.js has no binary, and for clients that speak HTTP/1.0. */
export function nodeTransport(receive: Receive, options: TransportOptions): Transport {
  const listener = createServer({ maxHeaderSize: MAX_HEAD, keepAliveTimeout: KEEP_ALIVE })
  const server: Server = {
    isDraining: false,
    stalledAfter: options.stalledAfter ?? STALLED_AFTER,
    closeIdle: () => listener.closeIdleConnections(),
    onFault: (error) => options.onFault(error),
  }
  const take = (req: IncomingMessage, res: ServerResponse): void => {
    try {
      const head = readHead(req, options.trustProxy)
      if (head === null) req.destroy()
      else receive(new NodeExchange(req, res, head, server))
    } catch (error) {
      options.onFault(error)
      req.destroy()
    }
  }
  listener.on('request', take)
  listener.on('checkExpectation', take)
  listener.on('clientError', (_error, socket) => socket.destroy())

  return {
    listen(host, port) {
      return new Promise((resolve, reject) => {
        listener.once('error', (error: NodeJS.ErrnoException) =>
          reject(listenFailure(error.code, host, port)),
        )
        listener.listen({ host, port, exclusive: true }, () =>
          resolve((listener.address() as AddressInfo).port),
        )
      })
    },
    close(deadline) {
      server.isDraining = true
      return new Promise((resolve) => {
        const timer = setTimeout(() => listener.closeAllConnections(), deadline)
        listener.close(() => {
          clearTimeout(timer)
          resolve()
        })
        server.closeIdle()
      })
    },
  }
}

interface Server {
  isDraining: boolean
  readonly stalledAfter: number
  closeIdle(): void
  onFault(error: unknown): void
}

class NodeExchange implements Exchange {
  readonly head: Head
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #server: Server
  #isAnswered = false

  constructor(req: IncomingMessage, res: ServerResponse, head: Head, server: Server) {
    this.head = head
    this.#req = req
    this.#res = res
    this.#server = server
    // A client that goes away is no fault of ours.
    req.on('error', () => {})
    res.on('error', () => {})
  }

  whenOver(done: () => void): void {
    if (this.#res.closed) done()
    else this.#res.once('close', done)
  }

  readBody(cap: number, done: (body: RawBody) => void): void {
    const chunks: Buffer[] = []
    let size = 0
    let isDelivered = false
    const deliver = (body: RawBody): void => {
      if (isDelivered) return
      isDelivered = true
      chunks.length = 0
      done(body)
    }
    this.#req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > cap) deliver(TOO_LARGE)
      else chunks.push(chunk)
    })
    this.#req.on('end', () => deliver(Buffer.concat(chunks)))
  }

  send(status: number, headers: HeaderLines, body: string): void {
    if (!this.#isWanted) return
    this.#setHead(status, headers, CONTENT_TYPE, Buffer.byteLength(body))
    this.#res.end(this.head.method === 'HEAD' ? undefined : body)
    this.#discardBody()
  }

  sendBytes(status: number, headers: HeaderLines, contentType: string, bytes: ByteSource): void {
    const slices = new Slices(bytes, this.#server.onFault)
    if (!this.#isWanted) {
      slices.stop()
      return
    }
    this.#setHead(status, headers, contentType, slices.size)
    if (this.head.method === 'HEAD' || slices.size === 0) {
      slices.stop()
      this.#res.end()
    } else {
      const { stalledAfter } = this.#server
      // Its head was sent when more requests were welcome.
      const onSent = () => {
        if (this.#server.isDraining) this.#server.closeIdle()
      }
      downloadOverNode({ req: this.#req, res: this.#res, slices, stalledAfter, onSent })
    }
    this.#discardBody()
  }

  get #isWanted(): boolean {
    return !this.#isAnswered && !this.#res.destroyed && !this.#req.socket.destroyed
  }

  #setHead(status: number, headers: HeaderLines, contentType: string, length: number): void {
    this.#isAnswered = true
    this.#res.statusCode = status
    if (this.#server.isDraining) this.#res.shouldKeepAlive = false
    this.#res.setHeader('Content-Type', contentType)
    for (const each of headers.split('\r\n').slice(1)) {
      const colon = each.indexOf(':')
      this.#res.setHeader(each.slice(0, colon), each.slice(colon + 2))
    }
    this.#res.setHeader('Content-Length', length)
  }

  /** What is left of a refused body is read and thrown away, so that the client gets to read the answer. */
  #discardBody(): void {
    this.#req.resume()
  }
}

function readHead(req: IncomingMessage, trustProxy: boolean): Head | null {
  const framing = new FramingCheck()
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    framing.add((req.rawHeaders[i] as string).toLowerCase(), req.rawHeaders[i + 1] as string)
  }
  if (framing.isBroken) return null
  const url = (req.url ?? '/').replace(ABSOLUTE, '')
  const mark = url.indexOf('?')
  const client = trustProxy ? forwardedClient(framing.forwardedFor) : null
  return {
    method: req.method ?? '',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    authorization: framing.authorization,
    ip: client ?? plainAddress(req.socket.remoteAddress ?? ''),
    hasBody: framing.declaredLength > 0,
    bodyLength: framing.declaredLength,
  }
}
