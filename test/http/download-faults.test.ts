import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ByteSource } from '../../src/domain/byte-source.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import { together } from '../../src/http/reply.ts'
import { reader, serve, sourceOf, until } from '../support/download.ts'

const bytes = randomBytes(16 * 1024 * 1024)
const file = bytes.subarray(0, 1024 * 1024)

function answerWith(source: ByteSource): (exchange: Exchange) => void {
  return (exchange) => exchange.sendBytes(200, together(), 'image/png', source)
}

type Read = ByteSource['read']
const good: Read = async (offset, length) => bytes.subarray(offset, offset + length)

const broken: [what: string, read: Read][] = [
  ['rejects', () => Promise.reject(new Error('disk'))],
  [
    'throws',
    () => {
      throw new Error('disk')
    },
  ],
  ['reads nothing', async () => Buffer.alloc(0)],
  ['reads too much', async (offset, length) => bytes.subarray(offset, offset + length + 1)],
  ['reads what is no bytes', async () => undefined as never],
]

for (const http of ['uws', 'node'] as const) {
  const on = (title: string, body: (t: TestContext) => Promise<void>) =>
    test(`${http}: ${title}`, body)

  for (const [what, bad] of broken) {
    for (const [when, from] of [
      ['at once', 0],
      ['in the middle', 300_000],
    ] as const) {
      on(
        `a source that ${what} ${when}: the connection is cut and the fault reported`,
        async (t) => {
          const source: ByteSource & { closes: number } = {
            size: file.length,
            closes: 0,
            read: (offset, length) => (offset < from ? good(offset, length) : bad(offset, length)),
            close: () => {
              source.closes++
            },
          }
          const { port, faults } = await serve(t, http, answerWith(source))
          const client = reader(port)
          const { body, isWhole } = await client.answer()
          assert.equal(isWhole, false)
          assert.ok(body.equals(file.subarray(0, body.length)))
          await client.closed()
          assert.deepEqual([source.closes, faults.length], [1, 1])
        },
      )
    }
  }

  on('a source that fails to close is reported, and the answer is whole', async (t) => {
    const source = sourceOf(file, {
      close: () => {
        throw new Error('disk')
      },
    })
    const { port, faults } = await serve(t, http, answerWith(source))
    const client = reader(port)
    assert.ok((await client.answer()).body.equals(file))
    client.socket.destroy()
    assert.deepEqual([source.closes, faults.length], [1, 1])
  })

  on('a second answer is not given, and its source is closed', async (t) => {
    const sources = [sourceOf(file), sourceOf(file)]
    const { port, faults } = await serve(t, http, (exchange) => {
      for (const source of sources) answerWith(source)(exchange)
      exchange.send(500, together(), '{}')
    })
    const client = reader(port)
    const { head, body } = await client.answer()
    assert.match(head, /^HTTP\/1.1 200 /)
    assert.ok(body.equals(file))
    client.socket.destroy()
    assert.deepEqual(
      sources.map(({ closes, reach }) => [closes, reach]),
      [
        [1, file.length],
        [1, 0],
      ],
    )
    assert.deepEqual(faults, [])
  })

  on('a server that closes waits for a download under way', async (t) => {
    const source = sourceOf(bytes)
    const { port, transport } = await serve(t, http, answerWith(source))
    const client = reader(port)
    await until(() => source.reach > 0)
    const closing = transport.close(20_000)
    await client.dawdle(256 * 1024, 1000)
    const { body } = await client.answer()
    assert.ok(body.equals(bytes))
    await Promise.all([closing, client.closed()])
    assert.equal(source.closes, 1)
  })

  on('a server that closes cuts a download that outlasts the deadline', async (t) => {
    const source = sourceOf(bytes)
    const { port, transport, faults } = await serve(t, http, answerWith(source))
    const client = reader(port)
    await until(() => source.reach > 0)
    await transport.close(300)
    assert.equal((await client.answer()).isWhole, false)
    await until(() => source.closes > 0)
    assert.equal(source.closes, 1)
    assert.deepEqual(faults, [])
  })

  on('a download that begins while the server closes says that the connection ends', async (t) => {
    const held: Exchange[] = []
    const { port, transport } = await serve(t, http, (exchange) => held.push(exchange))
    const client = reader(port)
    await until(() => held.length === 1)
    const closing = transport.close(20_000)
    answerWith(sourceOf(file))(held[0] as Exchange)
    const { head, body } = await client.answer()
    assert.match(head, /^Connection: close$/im)
    assert.ok(body.equals(file))
    await Promise.all([closing, client.closed()])
  })

  on('a download may answer a request whose body still comes', async (t) => {
    const { port } = await serve(t, http, answerWith(sourceOf(file)))
    const client = reader(
      port,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\nsome of it',
    )
    await delay(50)
    client.socket.write(Buffer.alloc(200_000 - 10))
    assert.ok((await client.answer()).body.equals(file))
    client.socket.destroy()
  })
}

test('uws: a download held back until the body ends is closed when the client goes first', async (t) => {
  const source = sourceOf(file)
  const { port } = await serve(t, 'uws', answerWith(source))
  const client = reader(port, 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  await delay(100)
  assert.equal(source.reads, 0)
  client.socket.destroy()
  await until(() => source.closes > 0)
})

test('node: HTTP/1.0 gets the file, and the end of the connection', async (t) => {
  const source = sourceOf(file)
  const { port } = await serve(t, 'node', answerWith(source))
  const client = reader(port, 'GET / HTTP/1.0\r\n\r\n')
  assert.ok((await client.answer()).body.equals(file))
  await client.closed()
  assert.equal(source.closes, 1)
})

test('node: downloads asked for at once on one connection come in turn, and all end with it', async (t) => {
  const sources = Array.from({ length: 12 }, (_, i) => sourceOf(i === 0 ? file : bytes))
  const asked = sources.values()
  const { port } = await serve(t, 'node', (exchange) =>
    answerWith(asked.next().value as ByteSource)(exchange),
  )
  const client = reader(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(12))
  await until(() => sources.every(({ reads }) => reads > 0))
  const first = await client.answer()
  assert.ok(first.body.subarray(0, file.length).equals(file))
  client.socket.destroy()
  await until(() => sources.every(({ closes }) => closes === 1))
})
