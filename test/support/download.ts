import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ByteSource } from '../../src/domain/byte-source.ts'
import type { Receive, Transport } from '../../src/http/exchange.ts'
import { openTransport, type TransportName } from '../../src/http/server.ts'

interface Served {
  port: number
  transport: Transport
  faults: unknown[]
}

/** A transport alone, without the house behind it. */
export async function serve(
  t: TestContext,
  http: TransportName,
  receive: Receive,
  options: { stalledAfter?: number } = {},
): Promise<Served> {
  const faults: unknown[] = []
  const onFault = (error: unknown) => faults.push(error)
  const transport = await openTransport(http, receive, {
    trustProxy: false,
    onFault,
    warn: (sentence) => t.diagnostic(sentence),
    ...options,
  })
  t.after(() => transport.close(0))
  return { port: await transport.listen('127.0.0.1', 0), transport, faults }
}

export interface CountedSource extends ByteSource {
  /** How far it has been read. */
  reach: number
  reads: number
  closes: number
  isReading: boolean
}

/** Reads as a disk does: never in the turn it was asked in. */
export function sourceOf(bytes: Uint8Array, change: Partial<ByteSource> = {}): CountedSource {
  const source: CountedSource = {
    size: bytes.length,
    reach: 0,
    reads: 0,
    closes: 0,
    isReading: false,
    async read(offset, length) {
      source.reads++
      source.isReading = true
      await new Promise(setImmediate)
      try {
        const slice = await (change.read?.(offset, length) ??
          bytes.subarray(offset, offset + length))
        source.reach = offset + slice.length
        return slice
      } finally {
        source.isReading = false
      }
    },
    close() {
      source.closes++
      change.close?.()
    },
  }
  return source
}

interface Answer {
  head: string
  body: Buffer
  /** Whether as many bytes came as were promised. */
  isWhole: boolean
}

interface Reader {
  socket: Socket
  ask(request?: string): void
  /** Takes at most so many bytes of what has come, each time, for so many milliseconds. */
  dawdle(most: number, milliseconds: number): Promise<void>
  /** Takes the rest of one answer at full speed, to its end or that of the connection. */
  answer(): Promise<Answer>
  closed(): Promise<void>
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

/** A client that takes from its socket only what it is told to. */
export function reader(port: number, request = GET): Reader {
  const socket = connect({ port, host: '127.0.0.1' })
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let isClosed = false
  let received: Buffer[] = []
  let size = 0
  socket.pause()
  socket.on('error', () => {})
  over.then(() => {
    isClosed = true
  })
  socket.write(request)

  function take(most: number): void {
    if (most === 0) return
    const chunk = socket.read(Math.min(most, socket.readableLength) || undefined)
    if (chunk === null) return
    received.push(chunk)
    size += chunk.length
  }

  async function more(): Promise<void> {
    if (socket.readableLength > 0) return
    await Promise.race([new Promise((resolve) => socket.once('readable', resolve)), over])
  }

  return {
    socket,
    ask: (next = GET) => socket.write(next),
    async dawdle(most, milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += 100) {
        take(most)
        await delay(100)
      }
    },
    async answer() {
      let promised = lengthOf(Buffer.concat(received))
      while (size < promised && !(isClosed && socket.readableLength === 0)) {
        await more()
        take(Number.POSITIVE_INFINITY)
        if (promised === Number.POSITIVE_INFINITY) promised = lengthOf(Buffer.concat(received))
      }
      const all = Buffer.concat(received)
      const end = all.indexOf('\r\n\r\n')
      const isWhole = size === promised
      received = []
      size = 0
      return { head: all.toString('latin1', 0, end), body: all.subarray(end + 4), isWhole }
    },
    async closed() {
      socket.resume()
      await over
    },
  }
}

/** Of head and body; infinite until the head is whole. */
function lengthOf(start: Buffer): number {
  const end = start.indexOf('\r\n\r\n')
  if (end < 0) return Number.POSITIVE_INFINITY
  const head = start.toString('latin1', 0, end)
  return end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1])
}

/** Waits for what follows from another process's or the kernel's doing. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(10)
}
