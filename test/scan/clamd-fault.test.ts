import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { clamdScanner, clamdVersion } from '../../src/scan/clamd.ts'
import { heldAt, stored } from './bytes.ts'
import { framed, isEnded, peer } from './peer.ts'

const MB = 1024 * 1024

test('silence after the whole file is no verdict', async (t) => {
  const { address, received } = await peer(t, () => {})
  await assert.rejects(clamdScanner(address, { patience: 200 }).scan(stored('hello')), {
    name: 'Failure',
    message: /^clamd at \S+ has not moved for 0\.2 s: see whether it hangs/,
  })
  assert.ok(isEnded(await received), 'it was told all, and the connection is closed')
})

test('an answer that is not followed by the end of the connection is no verdict', async (t) => {
  const { address } = await peer(t, (socket) => {
    socket.on('data', (part) => {
      if (part.length >= 4 && part.readUInt32BE(part.length - 4) === 0) socket.write('stream: OK\0')
    })
  })
  await assert.rejects(
    clamdScanner(address, { patience: 200 }).scan(stored('hello')),
    /has not moved/,
  )
})

test('a whole verdict on a whole file stands, though the connection is then torn', async (t) => {
  const server = createServer((socket) => {
    const parts: Buffer[] = []
    socket.on('data', (part) => {
      parts.push(part)
      if (!isEnded(Buffer.concat(parts))) return
      socket.write('stream: OK\0')
      socket.resetAndDestroy()
    })
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const scanner = clamdScanner({ host: '127.0.0.1', port })
  assert.deepEqual(await scanner.scan(stored('hello')), { state: 'clean' })
})

test('a peer that takes nothing costs a few slices of memory, and the scan ends', async (t) => {
  const { address } = await peer(t, (socket) => socket.pause())
  const size = 256 * MB
  let asked = 0
  const slice = Buffer.alloc(64 * 1024)
  const file = stored('', {
    size,
    async read(_, length) {
      asked += length
      return slice.subarray(0, length)
    },
  })
  await assert.rejects(clamdScanner(address, { patience: 200 }).scan(file), /has not moved/)
  assert.ok(asked < 4 * MB, `${asked} bytes were read`)
})

test('progress keeps a scan alive that takes longer than the patience', async (t) => {
  const { address } = await peer(t, (socket) => {
    const parts: Buffer[] = []
    socket.on('data', (part) => {
      parts.push(part)
      socket.pause()
      setTimeout(() => socket.resume(), 20)
      if (isEnded(Buffer.concat(parts))) socket.end('stream: OK\0')
    })
  })
  const scanner = clamdScanner(address, { patience: 1000 })
  assert.deepEqual(await scanner.scan(stored(Buffer.alloc(5 * MB))), { state: 'clean' })
})

test('a disk that does not answer is not blamed on clamd', async (t) => {
  const { address } = await peer(t, () => {})
  const { file, release } = heldAt(0, Buffer.alloc(MB))
  await assert.rejects(clamdScanner(address, { patience: 200 }).scan(file), {
    message: 'The stored file could not be read for 0.2 s: look after the disk.',
  })
  release()
})

test('a read that fails is the answer, and the stream is left without an end', async (t) => {
  const { address, received } = await peer(t, () => {})
  const content = Buffer.alloc(MB)
  const fault = new Error('EIO: i/o error, read')
  const file = stored(content, {
    async read(offset, length) {
      if (offset >= MB / 2) throw fault
      return content.subarray(offset, offset + length)
    },
  })
  await assert.rejects(clamdScanner(address).scan(file), (error) => error === fault)
  const said = await received
  assert.equal(Buffer.concat(framed(said)).length, MB / 2)
  assert.ok(!isEnded(said))
})

test('a read that throws at once is the answer too', async (t) => {
  const { address, received } = await peer(t, () => {})
  const fault = new Error('closed')
  const file = stored('hello', {
    read() {
      throw fault
    },
  })
  await assert.rejects(clamdScanner(address).scan(file), (error) => error === fault)
  assert.ok(!isEnded(await received))
})

test('a read that fails after the scan is over troubles nobody', async (t) => {
  const { address, connected } = await peer(t, () => {})
  let fail = (_: Error) => {}
  const file = stored('hello', {
    read: () =>
      new Promise((_, reject) => {
        fail = reject
        connected.then((socket) => socket.destroy())
      }),
  })
  await assert.rejects(clamdScanner(address).scan(file), /hung up|broke off/)
  // The runner fails the test in which a rejection stays unhandled.
  fail(new Error('too late'))
  await new Promise((resolve) => setImmediate(resolve))
})

test('a file that is shorter than its size is never judged by its part', async (t) => {
  const { address, received } = await peer(t, () => {})
  const file = stored(Buffer.alloc(1000), { size: 5000 })
  await assert.rejects(clamdScanner(address).scan(file), {
    message: 'The stored file ends after 1000 of 5000 bytes: restore it from a backup.',
  })
  const said = await received
  assert.equal(Buffer.concat(framed(said)).length, 1000)
  assert.ok(!isEnded(said))
})

for (const size of [Number.NaN, -1]) {
  test(`a file whose size is ${size} is not taken for an empty one`, async (t) => {
    const { address, received } = await peer(t, () => {})
    await assert.rejects(clamdScanner(address).scan(stored('hello', { size })), /stored file/)
    assert.ok(!isEnded(await received))
  })
}

test('a read of more than was asked for is refused', async (t) => {
  const { address, received } = await peer(t, () => {})
  const file = stored('hello', { read: async () => Buffer.alloc(6) })
  await assert.rejects(clamdScanner(address).scan(file), /6 bytes were read instead of 5/)
  assert.ok(!isEnded(await received))
})

test('the version is heard from clamd alone, and where VERSION is forbidden PING will do', async (t) => {
  const told = async (answers: Record<string, string>) => {
    const { address } = await peer(t, (socket) => {
      socket.on('data', (words) => socket.end(answers[String(words)] ?? ''))
    })
    return clamdVersion(address)
  }
  assert.equal(await told({ 'zVERSION\0': 'ClamAV 1.4.3/27500/Mon\0' }), 'ClamAV 1.4.3/27500/Mon')
  const forbidden = 'COMMAND UNAVAILABLE\0'
  assert.equal(
    await told({ 'zVERSION\0': forbidden, 'zPING\0': 'PONG\0' }),
    'ClamAV (it does not tell its version)',
  )
  await assert.rejects(told({ 'zVERSION\0': forbidden, 'zPING\0': 'PIN' }), /answered "PIN"/)
  await assert.rejects(told({ 'zVERSION\0': 'nginx\0' }), /answered "nginx"/)
  await assert.rejects(told({ 'zVERSION\0': 'ClamAV 1.4.3' }), /answered "ClamAV 1\.4\.3"/)
  await assert.rejects(told({}), /hung up without an answer/)
})
