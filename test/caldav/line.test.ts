import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { type CalendarClient, caldavClient } from '../../src/caldav/client.ts'
import { failureOf, HREF, httpPeer, PASSWORD, rawPeer, TEXT, USERNAME } from './peer.ts'

const OPERATIONS: readonly [string, (client: CalendarClient) => Promise<unknown>][] = [
  ['probe', (client) => client.probe()],
  ['put', (client) => client.put(HREF, TEXT, null)],
  ['get', (client) => client.get(HREF)],
  ['remove', (client) => client.remove(HREF, '"1"')],
]

const OK = 'HTTP/1.1 200 OK\r\n'

for (const [name, bytes, message] of [
  ['nothing', '', /broke off \(ECONNRESET\)/],
  ['a line of garbage', 'SSH-2.0-OpenSSH_9.2\r\n', /what is not HTTP \(HPE_/],
  ['bytes of all kinds', Buffer.from(Array.from({ length: 4096 }, (_, n) => n % 256)), /not HTTP/],
  ['a TLS alert', Buffer.from('15030100020228', 'hex'), /not HTTP .* wants https/],
  ['half a status line', 'HTTP/1.1 20', /broke off/],
  ['a status of one digit', 'HTTP/1.1 2 OK\r\n\r\n', /not HTTP/],
  ['half of the headers', `${OK}Content-Le`, /broke off/],
  ['headers without end', `${OK}${'X-Much: of it\r\n'.repeat(10_000)}\r\n`, /HPE_HEADER_OVERFLOW/],
  ['a header with a null byte', `${OK}ETag: "a\0b"\r\n\r\n`, /not HTTP/],
  ['two lengths', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, /not HTTP/],
  ['a length that is no number', `${OK}Content-Length: many\r\n\r\nab`, /not HTTP/],
  ['a length below zero', `${OK}Content-Length: -5\r\n\r\nab`, /not HTTP/],
  [
    'a length and chunks',
    `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nab`,
    /not HTTP/,
  ],
  ['more than its length', `${OK}Content-Length: 2\r\n\r\nabcdef`, /not HTTP/],
  ['less than its length', `${OK}Content-Length: 500\r\n\r\nshort`, /broke off/],
  ['chunks of nonsense', `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n`, /not HTTP/],
  [
    'a chunk of huge size',
    `${OK}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nab`,
    /not HTTP/,
  ],
  ['chunks without the last', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n`, /broke off/],
  [
    'a change of protocol',
    'HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    /broke off/,
  ],
  ['a promise only', 'HTTP/1.1 100 Continue\r\n\r\n', /broke off/],
] as const) {
  test(`an answer of ${name} is a temporary failure of every operation`, async (t) => {
    const peer = await rawPeer(t, bytes)
    for (const [operation, run] of OPERATIONS) {
      const failure = await failureOf(run(peer.client))
      assert.match(failure.message, message, operation)
      assert.ok(failure.message.includes(`127.0.0.1:${peer.port} `))
      assert.equal(failure.isPermanent, false)
    }
    await peer.closed()
  })
}

test('a peer that resets the connection is a temporary failure', async (t) => {
  const peer = await rawPeer(t, (socket) => socket.resetAndDestroy())
  for (const [, run] of OPERATIONS) {
    assert.match((await failureOf(run(peer.client))).message, /broke off \(ECONNRESET\)/)
  }
})

test('a peer that resets the connection in the middle of an answer is a temporary failure', async (t) => {
  const peer = await rawPeer(t, (socket) => {
    socket.write(`${OK}Content-Length: 500\r\n\r\nBEGIN:VCALENDAR`, () => socket.resetAndDestroy())
  })
  for (const [, run] of OPERATIONS) {
    assert.match((await failureOf(run(peer.client))).message, /broke off/)
  }
})

const silent = (): void => {}

function dripping(start: string, drop: string) {
  return (socket: Socket): void => {
    socket.write(start)
    const timer = setInterval(() => socket.write(drop), 10)
    socket.once('close', () => clearInterval(timer))
  }
}

for (const [name, treat] of [
  ['says nothing', silent],
  ['drips its headers', dripping(OK, 'X-A: b\r\n')],
  ['drips its text', dripping(`${OK}Content-Length: 1000000\r\n\r\n`, 'x')],
  ['drips its chunks', dripping(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n')],
  ['drips promises', dripping('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
] as const) {
  test(`a peer that ${name} is given up, and its connection closed`, async (t) => {
    const peer = await rawPeer(t, treat, { patience: 150 })
    for (const [, run] of OPERATIONS) {
      const failure = await failureOf(run(peer.client))
      assert.match(failure.message, /127\.0\.0\.1:\d+ was not done after 0\.15 s: see whether/)
      assert.equal(failure.isPermanent, false)
    }
    await peer.closed()
  })
}

test('the patience is for an operation with all that it asks', async (t) => {
  let asked = 0
  const peer = await httpPeer(
    t,
    (_, response) => {
      asked++
      setTimeout(() => response.writeHead(307, { location: `./${HREF}?${asked}` }).end(), 120)
    },
    { patience: 200 },
  )
  assert.match((await failureOf(peer.client.get(HREF))).message, /not done after 0\.2 s/)
  await peer.closed()
})

test('a name that is never resolved is given up', async () => {
  const client = caldavClient(
    { url: 'http://slow.example/', username: USERNAME, password: PASSWORD },
    { patience: 50, lookup: () => new Promise(() => {}) },
  )
  assert.match((await failureOf(client.probe())).message, /slow\.example was not done after/)
})

test('an answer may have as many bytes as allowed, and not one more', async (t) => {
  const most = Buffer.byteLength(TEXT)
  for (const mostBytes of [most, most - 1]) {
    const peer = await httpPeer(
      t,
      (_, response) => response.writeHead(200, { etag: '"1"' }).end(TEXT),
      { mostBytes },
    )
    if (mostBytes === most) assert.equal((await peer.client.get(HREF))?.text, TEXT)
    else {
      const failure = await failureOf(peer.client.get(HREF))
      assert.match(failure.message, /answers with more than \d+ bytes: see that/)
      assert.equal(failure.isPermanent, false)
    }
    await peer.closed()
  }
})

test('an answer without end is cut off', async (t) => {
  const peer = await rawPeer(t, (socket) => {
    socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`)
    const more = () => {
      while (!socket.destroyed && socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`));
    }
    socket.on('drain', more)
    more()
  })
  for (const [, run] of OPERATIONS) {
    assert.match((await failureOf(run(peer.client))).message, /more than 1048576 bytes/)
  }
  await peer.closed()
})

test('a refusal counts, however much is said with it', async (t) => {
  const peer = await httpPeer(t, (_, response) => response.writeHead(401).end('x'.repeat(5000)), {
    mostBytes: 100,
  })
  const failure = await failureOf(peer.client.probe())
  assert.match(failure.message, /refuses the user name or the password/)
  assert.equal(failure.isPermanent, true)
  await peer.closed()
})
