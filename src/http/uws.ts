import type { HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js'
import { Buffer } from 'node:buffer'
import { forwardedClient, plainAddress } from '../domain/ip.ts'
import {
  type Head,
  type Receive,
  STALLED_AFTER,
  type Transport,
  type TransportOptions,
} from './exchange.ts'
import { FramingCheck } from './framing.ts'
import { whyNotListening } from './listening.ts'
import { UwsExchange, type UwsServer } from './uws-exchange.ts'

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
  const stalledAfter = options.stalledAfter ?? STALLED_AFTER
  const state: UwsServer = {
    underway: 0,
    isDraining: false,
    onIdle: () => {},
    stalledAfter,
    onFault,
  }
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
      listening = null
      await idleOrLate(state, deadline)
      app.close()
    },
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
    bodyLength: framing.declaredLength,
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
async function idleOrLate(server: UwsServer, deadline: number): Promise<void> {
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
