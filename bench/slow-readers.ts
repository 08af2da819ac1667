import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Server } from './servers.ts'

export interface Slowness {
  readonly readers: number
  readonly bytesASecond: number
  readonly seconds: number
}

export interface Memory {
  /** Of the server's process, in megabytes. */
  readonly before: number
  readonly after: number
  readonly most: number
  /** What one reader has taken, in kilobytes a second. */
  readonly taken: number
}

const STEPS_A_SECOND = 10

/** What it costs a server that many read the same answer slowly. */
export async function measureSlowReaders(
  server: Server,
  request: { path: string; key: string },
  { readers, bytesASecond, seconds }: Slowness,
): Promise<Memory> {
  const before = residentMegabytes(server.pid)
  const sockets = Array.from({ length: readers }, () => ask(server, request))
  let taken = 0
  let after = before
  let most = before
  for (let step = 0; step < seconds * STEPS_A_SECOND; step++) {
    await setTimeout(1_000 / STEPS_A_SECOND)
    for (const socket of sockets) taken += take(socket, bytesASecond / STEPS_A_SECOND)
    after = residentMegabytes(server.pid)
    most = Math.max(most, after)
  }
  const cutOff = sockets.filter((socket) => socket.destroyed).length
  for (const socket of sockets) socket.destroy()
  if (cutOff > 0) throw new Error(`${cutOff} of ${readers} slow readers were cut off`)
  return { before, after, most, taken: taken / readers / seconds / 1_000 }
}

function ask({ baseUrl }: Server, { path, key }: { path: string; key: string }): Socket {
  const { hostname, port, host, pathname } = new URL(baseUrl + path)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => socket.destroy())
  // Nothing flows by itself: what is not taken stays in the socket, and the server has to wait.
  socket.pause()
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  return socket
}

function take(socket: Socket, most: number): number {
  const wanted = Math.min(most, socket.readableLength)
  // Reading nothing is how a paused socket is told to fetch more.
  const chunk = (wanted === 0 ? socket.read(0) : socket.read(wanted)) as Buffer | null
  return chunk?.length ?? 0
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}
