import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ClamdAddress } from '../../src/scan/choice.ts'
import { temporaryFolder } from '../support/process.ts'

export interface Peer {
  address: ClamdAddress
  /** The first connection, once there is one. */
  connected: Promise<Socket>
  /** All that came over it, once it is closed. */
  received: Promise<Buffer>
}

/** Listens where clamd should, and treats its connections as told. */
export async function peer(t: TestContext, treat: (socket: Socket) => void): Promise<Peer> {
  const path = join(temporaryFolder(t), 'peer.sock')
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    t.after(() => socket.destroy())
    socket.on('end', () => socket.end())
    socket.on('error', () => {})
    treat(socket)
  })
  t.after(() => server.close())
  const connected = once(server, 'connection').then(([socket]) => socket as Socket)
  const received = connected.then(async (socket) => {
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    await new Promise((resolve) => socket.once('close', resolve))
    return Buffer.concat(parts)
  })
  await once(server.listen(path), 'listening')
  return { address: { path }, connected, received }
}

/** A peer that waits for the whole stream, then says `answer` and hangs up. */
export function answering(t: TestContext, answer: string | Buffer): Promise<Peer> {
  return peer(t, (socket) => {
    const parts: Buffer[] = []
    socket.on('data', (part) => {
      parts.push(part)
      if (isEnded(Buffer.concat(parts))) socket.end(answer)
    })
  })
}

/** Whether the stream of `received` came to its end, the piece of length zero. */
export function isEnded(received: Buffer): boolean {
  return framed(received).at(-1)?.length === 0
}

/** The whole pieces of an INSTREAM, the last one empty where the stream was ended. */
export function framed(received: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  let at = 'zINSTREAM\0'.length
  while (at + 4 <= received.length) {
    const end = at + 4 + received.readUInt32BE(at)
    if (end > received.length) break
    pieces.push(received.subarray(at + 4, end))
    at = end
  }
  return pieces
}
