import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import type { TestContext } from 'node:test'
import {
  type CalendarClient,
  type CalendarOptions,
  caldavClient,
  hrefOf,
} from '../../src/caldav/client.ts'
import { CalendarFailure } from '../../src/caldav/failure.ts'

export const HREF = hrefOf('0b5b1c0e-5d5f-4b52-9d3e-6a3f0f6a1f11')
export const USERNAME = 'amina'
export const PASSWORD = 'Seen-By-Nobody-7'
export const TEXT = eventText('a', 'First')

export function eventText(uid: string, summary: string): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Majlis//Test//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260301T090000Z',
    'DTSTART:20260310T090000Z',
    'DTEND:20260310T100000Z',
    `SUMMARY:${summary}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.join('\r\n')}\r\n`
}

export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface Peer {
  url: string
  port: number
  client: CalendarClient
  /** Every request that came, in its order. */
  seen: Seen[]
  /** Settles once every connection that came is closed. */
  closed(): Promise<void>
}

type Treat = (request: Seen, response: ServerResponse) => void

/** Speaks HTTP, and answers as told. */
export async function httpPeer(
  t: TestContext,
  treat: Treat,
  options: CalendarOptions = {},
): Promise<Peer> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const one = { method, url, headers, body }
    seen.push(one)
    treat(one, response)
  })
  return listening(t, server, seen, options)
}

/** Answers with the bytes given, once the request has come, or with what `treat` does. */
export async function rawPeer(
  t: TestContext,
  treat: string | Buffer | ((socket: Socket) => void),
  options: CalendarOptions = {},
): Promise<Peer> {
  const server = createTcpServer((socket) => {
    socket.once('data', () => (typeof treat === 'function' ? treat(socket) : socket.end(treat)))
  })
  return listening(t, server, [], options)
}

async function listening(
  t: TestContext,
  server: Server,
  seen: Seen[],
  options: CalendarOptions,
): Promise<Peer> {
  const closings: Promise<unknown>[] = []
  server.on('connection', (socket: Socket) => {
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    closings.push(new Promise((resolve) => socket.once('close', resolve)))
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/amina/events/`
  return {
    url,
    port,
    client: caldavClient({ url, username: USERNAME, password: PASSWORD }, options),
    seen,
    async closed() {
      await Promise.all(closings)
    },
  }
}

/** A multistatus of one resource with these properties. */
export function multistatus(properties: string): string {
  return `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response><D:href>/x</D:href><D:propstat><D:prop>${properties}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>`
}

export const CALENDAR = multistatus(
  '<D:resourcetype><D:collection/><C:calendar/></D:resourcetype><D:displayname>Team</D:displayname>',
)

/** The failure that a promise must reject with. It names the host, and no secret is in it. */
export async function failureOf(promise: Promise<unknown>): Promise<CalendarFailure> {
  const settled = await promise.then(
    (value) => assert.fail(`it did not fail: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  assert.ok(settled instanceof CalendarFailure, String(settled))
  const basic = Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')
  for (const secret of [PASSWORD, basic]) {
    const told = `${settled.message} ${settled.stack} ${settled.cause}`.toLowerCase()
    assert.ok(!told.includes(secret.toLowerCase()), 'the password is told')
  }
  return settled
}
