import type { HttpResponse } from 'uWebSockets.js'
import { Buffer } from 'node:buffer'
import type { ByteSource } from '../domain/byte-source.ts'
import { type Exchange, type Head, type RawBody, TOO_LARGE } from './exchange.ts'
import type { FramingCheck } from './framing.ts'
import { CONTENT_TYPE, type HeaderLines, statusLine } from './reply.ts'
import { Slices } from './slices.ts'
import { UwsDownload } from './uws-download.ts'

/** What is thrown away of a refused body before its connection is closed. */
const MOST_DISCARDED = 64 * 1024 * 1024

/** What all exchanges of a server share. */
export interface UwsServer {
  underway: number
  isDraining: boolean
  onIdle: () => void
  readonly stalledAfter: number
  onFault: (error: unknown) => void
}

interface Answer {
  readonly status: number
  readonly headers: HeaderLines
  readonly contentType: string
  readonly body: string | Slices
  /** Where it is not that of the body: in the answer to a HEAD. */
  readonly length?: number
}

/** Once it has been ended, a response of uWebSockets.js throws at every touch: `#isOver` stands before each. */
export class UwsExchange implements Exchange {
  readonly head: Head
  readonly #res: HttpResponse
  readonly #declaredLength: number
  readonly #server: UwsServer
  #isOver = false
  #isLate = false
  #isPaused = false
  #chunks: Buffer[] = []
  #size = 0
  #hasEnded = false
  #cap = Number.POSITIVE_INFINITY
  #done: ((body: RawBody) => void) | null = null
  #held: Answer | null = null
  #onOver: () => void = () => {}

  constructor(res: HttpResponse, head: Head, framing: FramingCheck, server: UwsServer) {
    this.#res = res
    this.head = head
    this.#declaredLength = framing.declaredLength
    this.#server = server
    server.underway++
    // The body must be asked for in this turn, even if a gate still waits.
    if (head.hasBody || head.method !== 'GET') {
      res.onData((chunk, last) => this.guard(() => this.#take(chunk, last)))
    }
  }

  /** A throw out of a callback of uWebSockets.js would end the process. */
  guard(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#server.onFault(error)
      if (this.#isOver) return
      this.#leave()
      this.#res.close()
    }
  }

  /** Most are answered in the turn they came in: there no client can go away, and uWebSockets.js corks by itself. */
  outliveTurn(): void {
    if (this.#isOver) return
    this.#isLate = true
    this.#res.onAborted(() => this.#leave())
  }

  whenOver(done: () => void): void {
    if (this.#isOver) done()
    else this.#onOver = done
  }

  readBody(cap: number, done: (body: RawBody) => void): void {
    if (this.#isOver) return
    this.#cap = cap
    this.#done = done
    this.#resume()
    this.#deliver()
  }

  send(status: number, headers: HeaderLines, body: string): void {
    if (this.#isOver || this.#held !== null) return
    this.#answer({ status, headers, contentType: CONTENT_TYPE, body })
  }

  sendBytes(status: number, headers: HeaderLines, contentType: string, bytes: ByteSource): void {
    const slices = new Slices(bytes, this.#server.onFault)
    const { size } = slices
    const isWanted = !this.#isOver && this.#held === null
    const hasBody = size > 0 && this.head.method !== 'HEAD'
    if (!isWanted || !hasBody) slices.stop()
    if (!isWanted) return
    this.#answer({ status, headers, contentType, body: hasBody ? slices : '', length: size })
  }

  /**
   * A body that is refused goes on arriving, and is thrown away, so that the client gets to read the answer. One of
   * unknown length is waited for, as nothing can be closed after the answer; one without end is cut off.
   */
  #answer(answer: Answer): void {
    this.#chunks = []
    this.#done = null
    this.#resume()
    if (this.#hasEnded || this.#declaredLength <= MOST_DISCARDED) this.#write(answer, false)
    else if (Number.isFinite(this.#declaredLength)) this.#write(answer, true)
    else this.#held = answer
  }

  #write(answer: Answer, isLast: boolean): void {
    const { body } = answer
    if (typeof body !== 'string') this.#pour(answer, body, isLast)
    else {
      this.#leave()
      if (this.#isLate) this.#res.cork(() => this.#put(answer, body, isLast))
      else this.#put(answer, body, isLast)
    }
  }

  #put(answer: Answer, body: string, isLast: boolean): void {
    this.#putHead(answer)
    if (this.head.method === 'HEAD') {
      // Given the length as an argument, endWithoutBody leaves the response pending and the connection unusable.
      this.#res.writeHeader('Content-Length', String(answer.length ?? Buffer.byteLength(body)))
      this.#res.endWithoutBody()
    } else this.#res.end(body, isLast || this.#server.isDraining)
  }

  #putHead({ status, headers, contentType }: Answer): void {
    // 200 is what uWebSockets.js says by itself.
    if (status !== 200) this.#res.writeStatus(statusLine(status))
    this.#res.writeHeader('Content-Type', contentType + headers)
  }

  /** Under way until its last byte is taken. Nobody is sent a file behind a body without end. */
  #pour(answer: Answer, slices: Slices, isLast: boolean): void {
    if (isLast) {
      slices.stop()
      this.#leave()
      this.#res.close()
      return
    }
    this.#isOver = true
    new UwsDownload({
      res: this.#res,
      slices,
      stalledAfter: this.#server.stalledAfter,
      writeHead: () => {
        this.#putHead(answer)
        // tryEnd cannot be told to close; the socket is closed with all others, if the client does not do it.
        if (this.#server.isDraining) this.#res.writeHeader('Connection', 'close')
      },
      onFault: this.#server.onFault,
      onOver: () => this.#depart(),
    }).start()
  }

  #take(chunk: ArrayBuffer, last: boolean): void {
    this.#size += chunk.byteLength
    this.#hasEnded = last
    if (this.#isOver) return
    if (this.#held !== null) {
      if (last || this.#size > MOST_DISCARDED) this.#write(this.#held, !last)
      return
    }
    if (this.#size <= this.#cap) this.#chunks.push(Buffer.from(new Uint8Array(chunk)))
    if (this.#done === null && !last) this.#pause()
    this.#deliver()
  }

  #deliver(): void {
    const done = this.#done
    if (done === null) return
    const isTooLarge = this.#size > this.#cap
    if (!isTooLarge && !this.#hasEnded) return
    this.#done = null
    const body = isTooLarge ? TOO_LARGE : Buffer.concat(this.#chunks)
    this.#chunks = []
    done(body)
  }

  #pause(): void {
    this.#isPaused = true
    this.#res.pause()
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#res.resume()
  }

  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#done = null
    if (this.#held !== null && typeof this.#held.body !== 'string') this.#held.body.stop()
    this.#depart()
  }

  #depart(): void {
    this.#server.underway--
    this.#onOver()
    if (this.#server.underway === 0) this.#server.onIdle()
  }
}
