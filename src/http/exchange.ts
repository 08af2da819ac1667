import type { ByteSource } from '../domain/byte-source.ts'
import type { HeaderLines } from './reply.ts'

/** The head of a request, copied out of the transport at once. */
export interface Head {
  readonly method: string
  /** As requested: not decoded, without the query. */
  readonly path: string
  readonly query: string
  readonly authorization: string
  readonly ip: string
  readonly hasBody: boolean
  /** As declared; infinite where it is not. */
  readonly bodyLength: number
}

export const TOO_LARGE = Symbol('too large')
export type RawBody = Buffer | typeof TOO_LARGE

/** One request and its answer, as the two transports both offer it. Only they know a socket. */
export interface Exchange {
  readonly head: Head
  /** Reads the body to its end and keeps at most `cap` bytes of it. Never calls back once the client has gone. */
  readBody(cap: number, done: (body: RawBody) => void): void
  /** Calls once, when the answer has left or the client has gone; at once if that has been. */
  whenOver(done: () => void): void
  send(status: number, headers: HeaderLines, body: string): void
  /** Sends the bytes at the pace of their reader, and closes them however that ends. */
  sendBytes(status: number, headers: HeaderLines, contentType: string, bytes: ByteSource): void
}

export type Receive = (exchange: Exchange) => void

export interface Transport {
  /** Answers the port. Refuses with a Failure when the address is taken. */
  listen(host: string, port: number): Promise<number>
  /** Takes no new connection, answers what was accepted within `deadline` milliseconds, then closes all. */
  close(deadline: number): Promise<void>
}

export const STALLED_AFTER = 60_000

export interface TransportOptions {
  /** Take the client's address from X-Forwarded-For. */
  readonly trustProxy: boolean
  /** After how many milliseconds the reader of a download who takes nothing is cut off; a minute unless told. */
  readonly stalledAfter?: number
  onFault(error: unknown): void
}
