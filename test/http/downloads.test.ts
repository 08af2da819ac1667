import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ByteSource } from '../../src/domain/byte-source.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import { line, together } from '../../src/http/reply.ts'
import { type CountedSource, reader, serve, sourceOf, until } from '../support/download.ts'

const MB = 1024 * 1024
const bytes = randomBytes(32 * MB)
const file = bytes.subarray(0, 5 * MB)
const headers = together(line('X-First', '1'), line('X-Second', '2'))

function answerWith(source: ByteSource): (exchange: Exchange) => void {
  return (exchange) => exchange.sendBytes(200, headers, 'image/png', source)
}

/** Every request gets a source of its own. */
function answering(content: Uint8Array) {
  const sources: CountedSource[] = []
  const receive = (exchange: Exchange) => {
    const source = sourceOf(content)
    sources.push(source)
    answerWith(source)(exchange)
  }
  return { sources, receive }
}

// All at once, as two of them outwait the timers of uWebSockets.js.
describe('a download', { concurrency: true }, () => {
  for (const http of ['uws', 'node'] as const) {
    const on = (title: string, body: (t: TestContext) => Promise<void>) =>
      test(`${http}: ${title}`, body)

    on(
      'comes byte for byte, behind the same head as any answer, and the connection goes on',
      async (t) => {
        const { sources, receive } = answering(file)
        const { port, faults } = await serve(t, http, receive)
        const client = reader(port)
        for (let i = 0; i < 3; i++) {
          if (i > 0) client.ask()
          const { head, body, isWhole } = await client.answer()
          assert.match(
            head,
            /^HTTP\/1.1 200 OK\r\nContent-Type: image\/png\r\nX-First: 1\r\nX-Second: 2\r\n/,
          )
          assert.match(head, /^Content-Length: 5242880$/im)
          assert.ok(isWhole && body.equals(file))
        }
        client.socket.destroy()
        assert.deepEqual(
          sources.map(({ closes }) => closes),
          [1, 1, 1],
        )
        assert.deepEqual(faults, [])
      },
    )

    on('of every size around the edges of slices and buffers comes whole', async (t) => {
      const sizes = [1, 2, 16_383, 16_384, 16_385, 131_071, 131_072, 131_073, 131_072 + 16_384]
      const { port } = await serve(t, http, (exchange) =>
        answerWith(sourceOf(bytes.subarray(0, Number(exchange.head.path.slice(1)))))(exchange),
      )
      const client = reader(port, '')
      for (const size of sizes) {
        client.ask(`GET /${size} HTTP/1.1\r\nHost: x\r\n\r\n`)
        const { body, isWhole } = await client.answer()
        assert.ok(isWhole && body.equals(bytes.subarray(0, size)), `${size} bytes`)
      }
      client.socket.destroy()
    })

    on('of a source that gives less than it is asked for comes whole', async (t) => {
      const little: ByteSource['read'] = async (offset, length) =>
        file.subarray(offset, offset + Math.min(length, 50_001))
      const source = sourceOf(file, { read: little })
      const { port } = await serve(t, http, answerWith(source))
      const client = reader(port)
      assert.ok((await client.answer()).body.equals(file))
      client.socket.destroy()
      assert.equal(source.closes, 1)
    })

    on('of an empty file is 200 with a length of 0, and the connection goes on', async (t) => {
      const { sources, receive } = answering(Buffer.alloc(0))
      const { port } = await serve(t, http, receive)
      const client = reader(port)
      for (let i = 0; i < 2; i++) {
        if (i > 0) client.ask()
        const { head, isWhole } = await client.answer()
        assert.match(head, /^HTTP\/1.1 200 OK\r\n(.+\r\n)*Content-Length: 0(\r\n|$)/i)
        assert.ok(isWhole)
      }
      client.socket.destroy()
      assert.deepEqual(
        sources.map(({ closes, reads }) => [closes, reads]),
        [
          [1, 0],
          [1, 0],
        ],
      )
    })

    on('asked for by HEAD has its length and no body, and the connection goes on', async (t) => {
      const { sources, receive } = answering(file)
      const { port } = await serve(t, http, receive)
      const client = reader(port, 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(client.socket, 'readable')
      const head = String(client.socket.read())
      assert.match(head, /\r\nContent-Length: 5242880\r\n(.+\r\n)*\r\n$/i)
      client.ask()
      assert.ok((await client.answer()).body.equals(file))
      client.socket.destroy()
      assert.deepEqual([sources[0]?.closes, sources[0]?.reads], [1, 0])
    })

    on('without keep-alive is whole before the connection is closed', async (t) => {
      const { sources, receive } = answering(file)
      const { port } = await serve(t, http, receive)
      const client = reader(port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      assert.ok((await client.answer()).body.equals(file))
      await client.closed()
      assert.equal(sources[0]?.closes, 1)
    })

    on(
      'is whole for a reader who is slow for longer than any timer of the transport',
      async (t) => {
        const { sources, receive } = answering(bytes)
        const { port } = await serve(t, http, receive)
        const crawling = reader(port)
        const waiting = reader(port)
        await Promise.all([crawling.dawdle(5000, 14_000), waiting.dawdle(0, 14_000)])
        for (const { reach } of sources)
          assert.ok(reach < bytes.length / 2, 'the rest was not read')
        const answers = await Promise.all([crawling.answer(), waiting.answer()])
        for (const { body } of answers) assert.ok(body.equals(bytes))
        crawling.socket.destroy()
        waiting.socket.destroy()
      },
    )

    on('is whole where the kernel has room for all but the last few bytes', async (t) => {
      const sources: CountedSource[] = []
      const { port } = await serve(t, http, (exchange) => {
        const source = sourceOf(bytes.subarray(0, Number(exchange.head.path.slice(1))))
        sources.push(source)
        answerWith(source)(exchange)
      })
      const ask = (size: number) => reader(port, `GET /${size} HTTP/1.1\r\nHost: x\r\n\r\n`)
      const probe = ask(bytes.length)
      await probe.dawdle(0, 1000)
      const room = sources[0]?.reach ?? 0
      probe.socket.destroy()
      const sizes = Array.from({ length: 18 }, (_, i) => room + 8192 - i * 8192)
      const readers = sizes.map(ask)
      await Promise.all(readers.map((each) => each.dawdle(0, 14_000)))
      for (const [i, each] of readers.entries()) {
        const { body, isWhole } = await each.answer()
        assert.ok(isWhole, `${body.length} of ${sizes[i]} came`)
      }
      for (const each of readers) each.socket.destroy()
    })

    on('ends for a reader who takes nothing, but not for one who is slow', async (t) => {
      const { sources, receive } = answering(bytes)
      const { port, faults } = await serve(t, http, receive, { stalledAfter: 1500 })
      const moving = reader(port)
      await until(() => sources.length === 1)
      const stalled = reader(port)
      await moving.dawdle(256 * 1024, 6000)
      assert.deepEqual(
        sources.map(({ closes }) => closes),
        [0, 1],
      )
      assert.ok((await moving.answer()).body.equals(bytes))
      assert.equal((await stalled.answer()).isWhole, false)
      assert.deepEqual(faults, [], 'a reader who goes away is no fault')
      moving.socket.destroy()
    })

    on('whose reader has gone before it began closes its source unread', async (t) => {
      const source = sourceOf(file)
      const held: Exchange[] = []
      const { port } = await serve(t, http, (exchange) => held.push(exchange))
      const client = reader(port)
      await until(() => held.length === 1)
      client.socket.destroy()
      await delay(100)
      answerWith(source)(held[0] as Exchange)
      assert.deepEqual([source.closes, source.reads], [1, 0])
    })

    on(
      'whose reader goes in the middle closes its source, once nothing is read from it',
      async (t) => {
        let closedWhileReading = false
        const slow = async (offset: number, length: number) => {
          await delay(200)
          return bytes.subarray(offset, offset + length)
        }
        const source = sourceOf(file, {
          read: slow,
          close: () => {
            closedWhileReading = source.isReading
          },
        })
        const { port, faults } = await serve(t, http, answerWith(source))
        const client = reader(port)
        await until(() => source.reads === 2 && source.isReading)
        client.socket.destroy()
        await until(() => source.closes > 0)
        await delay(300)
        assert.deepEqual([source.closes, closedWhileReading, source.reads], [1, false, 2])
        assert.deepEqual(faults, [])
      },
    )
  }
})
