import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { clamdScanner } from '../../src/scan/clamd.ts'
import { heldAt, stored } from './bytes.ts'
import { answering, framed, isEnded, peer } from './peer.ts'

const MB = 1024 * 1024
const CLEAN = { state: 'clean' } as const

async function scanWith(t: TestContext, answer: string | Buffer) {
  const { address, received } = await answering(t, answer)
  const settled = await clamdScanner(address)
    .scan(stored('hello'))
    .catch((error: Error) => error)
  // The connection is closed, whatever came of it.
  await received
  return settled
}

test('the bytes are sent in slices of 64 KB after the command, and the end once', async (t) => {
  const { address, received } = await answering(t, 'stream: OK\0')
  const content = Buffer.from(Array.from({ length: 200_000 }, (_, n) => n % 251))
  assert.deepEqual(await clamdScanner(address).scan(stored(content)), CLEAN)
  const said = await received
  assert.equal(said.toString('latin1', 0, 10), 'zINSTREAM\0')
  const pieces = framed(said)
  assert.deepEqual(
    pieces.map(({ length }) => length),
    [65_536, 65_536, 65_536, 3392, 0],
  )
  assert.deepEqual(Buffer.concat(pieces), content)
  assert.equal(said.length, 10 + content.length + 5 * 4)
})

test('a source that gives less than asked for is sent whole', async (t) => {
  const { address, received } = await answering(t, 'stream: OK\0')
  const content = Buffer.from('a few bytes at a time')
  const file = stored(content, { read: async (offset) => content.subarray(offset, offset + 4) })
  assert.deepEqual(await clamdScanner(address).scan(file), CLEAN)
  assert.deepEqual(Buffer.concat(framed(await received)), content)
})

test('an answer in two halves is one answer', async (t) => {
  const { address } = await peer(t, (socket) => {
    socket.on('data', (part) => {
      if (part.length < 4 || part.readUInt32BE(part.length - 4) !== 0) return
      socket.write('stream: ')
      setImmediate(() => socket.end('OK\0'))
    })
  })
  assert.deepEqual(await clamdScanner(address).scan(stored('hello')), CLEAN)
})

for (const [name, threat] of [
  ['a space', 'Win.Test EICAR'],
  ['the word FOUND', 'FOUND FOUND'],
  ['a colon', 'stream: OK'],
  ['Arabic letters', 'فيروس-تجربة'],
  ['a comma, brackets and quotes', '{HEX}php,"x"(1)<b>'],
  ['two thousand letters', 'V'.repeat(2000)],
]) {
  test(`a threat with ${name} in its name is called by it`, async (t) => {
    const settled = await scanWith(t, `stream: ${threat} FOUND\0`)
    assert.deepEqual(settled, { state: 'infected', threat })
  })
}

for (const [name, answer, message] of [
  ['nothing', '', /hung up without an answer: look into its log/],
  ['half an answer', 'stream: O', /answered "stream: O": see that it is clamd/],
  ['OK without its zero byte', 'stream: OK', /answered "stream: OK"/],
  ['OK with a line feed', 'stream: OK\n', /answered "stream: OK "/],
  ['OK in small letters', 'stream: ok\0', /answered "stream: ok"/],
  ['OK before something', 'stream: OK\0.', /answered "stream: OK \."/],
  ['OK twice', 'stream: OK\0stream: OK\0', /answered/],
  ['OK, then a threat', 'stream: OK\0stream: X FOUND\0', /answered/],
  ['OK after something', ' stream: OK\0', /answered/],
  ['OK of a session', '1: stream: OK\0', /answered "1: stream: OK"/],
  ['OK of a file', '/tmp/x: OK\0', /answered/],
  ['a threat without a name', 'stream:  FOUND\0', /answered/],
  ['a threat named with a zero byte', 'stream: A\0B FOUND\0', /answered/],
  ['a threat on two lines', 'stream: A\nB FOUND\0', /answered/],
  ['a threat without its zero byte', 'stream: A FOUND', /answered/],
  ['garbage', Buffer.from([0xff, 0xfe, 0, 1, 2]), /answered/],
  ['the words of a web server', 'HTTP/1.1 400 Bad Request\r\n\r\n', /answered "HTTP\/1\.1 400/],
  [
    'an error',
    "stream: Can't allocate memory ERROR\0",
    /failed, saying "stream: Can't allocate memory ERROR"/,
  ],
  ['OK, then an error', 'stream: OK\0Error processing command. ERROR\0', /failed, saying/],
  ['a flood', Buffer.alloc(MB, 'stream: OK\0'), /answers without end/],
] as const) {
  test(`${name} is no verdict`, async (t) => {
    const settled = await scanWith(t, answer)
    assert.ok(settled instanceof Error, JSON.stringify(settled))
    assert.match(settled.message, /^clamd at \//)
    assert.match(settled.message, message)
  })
}

for (const answer of ['stream: OK\0', 'stream: X FOUND\0']) {
  const words = answer.slice(0, -1)
  test(`"${words}" before everything was sent is no verdict`, async (t) => {
    const { address } = await peer(t, (socket) => socket.once('data', () => socket.write(answer)))
    const { file, release } = heldAt(64 * 1024, Buffer.alloc(MB))
    await assert.rejects(
      clamdScanner(address).scan(file),
      /gave a verdict before it had the whole file/,
    )
    release()
  })

  test(`"${words}" in part before everything was sent is no verdict`, async (t) => {
    const { file, release } = heldAt(64 * 1024, Buffer.alloc(MB))
    const { address } = await peer(t, (socket) => {
      socket.once('data', () => {
        socket.write(answer.slice(0, 6))
        // Two turns later, so that the part is read before the rest of the file is sent.
        setImmediate(() => setImmediate(release))
      })
      const parts: Buffer[] = []
      socket.on('data', (part) => {
        parts.push(part)
        if (isEnded(Buffer.concat(parts))) socket.end(answer.slice(6))
      })
    })
    await assert.rejects(
      clamdScanner(address).scan(file),
      /gave a verdict before it had the whole file/,
    )
  })
}

test('what clamd complains of is read, though it hung up before the next write', async (t) => {
  const { address, connected } = await peer(t, () => {})
  const content = Buffer.alloc(MB)
  const file = stored(content, {
    async read(offset, length) {
      if (offset > 0) {
        // In one turn with the write that follows, so that the write fails before anything is read.
        const socket = await connected
        if (!socket.destroyed) socket.write('INSTREAM size limit exceeded. ERROR\0')
        socket.destroy()
      }
      return content.subarray(offset, offset + length)
    },
  })
  await assert.rejects(
    clamdScanner(address).scan(file),
    /raise StreamMaxLength in clamd\.conf to 6M/,
  )
})

test('a peer that hangs up early gives no verdict', async (t) => {
  const { address } = await peer(t, (socket) => socket.once('data', () => socket.destroy()))
  await assert.rejects(
    clamdScanner(address).scan(stored(Buffer.alloc(MB))),
    /hung up without an answer|broke off/,
  )
})

test('a peer that hangs up while the file is read is noticed without waiting for the disk', async (t) => {
  const { file, reached, release } = heldAt(0, Buffer.alloc(MB))
  const { address, connected } = await peer(t, () => {})
  const scan = assert.rejects(clamdScanner(address).scan(file), /hung up|broke off/)
  await reached
  ;(await connected).destroy()
  await scan
  release()
})
