import type { HttpResponse } from 'uWebSockets.js'
import { COPIED, type Slices } from './slices.ts'

/**
 * A timer of uWebSockets.js closes the socket 8 to 12 seconds after a write that was not taken whole, and the kernel
 * says that it takes more only when a third of its buffer of up to 4 MB is free: too late for a slow reader. So that
 * timer is wound up again and again, and the rest offered: the kernel takes some of it long before it says so.
 */
const TICK = 1000

interface Parts {
  readonly res: HttpResponse
  readonly slices: Slices
  /** In milliseconds: a reader who takes nothing for so long is cut off. */
  readonly stalledAfter: number
  writeHead(): void
  onFault(error: unknown): void
  /** Sent, cut off or left by the client: called once. */
  onOver(): void
}

/** The response is touched only while `#isOver` is false, but for the one `close` that says itself why it may. */
export class UwsDownload {
  readonly #parts: Parts
  readonly #res: HttpResponse
  readonly #size: number
  #rest: Uint8Array | null = null
  #sent = 0
  #hasHead = false
  #isOver = false
  #isGone = false
  #ticking: NodeJS.Timeout | undefined
  #stalling: NodeJS.Timeout | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#res = parts.res
    this.#size = parts.slices.size
  }

  start(): void {
    this.#res.onAborted(() => {
      this.#isGone = true
      this.#leave()
    })
    this.#res.onWritable(() => {
      this.#attempt(() => this.#put())
      return true
    })
    this.#ticking = setInterval(() => this.#attempt(() => this.#tick()), TICK)
    this.#stalling = setTimeout(() => this.#cut(), this.#parts.stalledAfter)
    this.#read()
  }

  #read(): void {
    this.#parts.slices.read(
      (slice) => {
        this.#rest = slice
        this.#attempt(() => this.#offer())
      },
      () => this.#cut(),
    )
  }

  #attempt(step: () => void): void {
    try {
      if (!this.#isOver) step()
    } catch (error) {
      this.#parts.onFault(error)
      this.#cut()
    }
    if (this.#isOver || this.#rest?.length !== 0) return
    this.#rest = null
    this.#read()
  }

  #tick(): void {
    // The one way to wind up the timer at will; in between, the socket is deaf.
    this.#res.pause()
    this.#res.resume()
    this.#offer()
  }

  /**
   * Corked, as everything outside of a callback of uWebSockets.js has to be. What is short enough is then copied, and
   * counts as sent whether or not the kernel takes it: at the end of a file it could be lost to the timer. There all
   * but single bytes, which show whether the reader moves, waits for onWritable, where nothing is corked or copied.
   */
  #offer(): void {
    const length = this.#rest?.length ?? 0
    const isShortEnd = length <= COPIED && this.#sent + length === this.#size
    if (!this.#hasHead || !isShortEnd) this.#res.cork(() => this.#put())
    else if (length > 1) this.#res.cork(() => this.#put(1))
  }

  #put(most?: number): void {
    const rest = this.#rest
    if (rest === null) return
    if (!this.#hasHead) this.#parts.writeHead()
    this.#hasHead = true
    const [, isEnded] = this.#res.tryEnd(rest.subarray(0, most), this.#size)
    if (isEnded) this.#leave()
    else this.#advance(rest, this.#res.getWriteOffset())
  }

  #advance(rest: Uint8Array, sent: number): void {
    if (sent === this.#sent) return
    this.#rest = rest.subarray(sent - this.#sent)
    this.#sent = sent
    this.#stalling?.refresh()
  }

  /** In a turn of its own: closed inside of its own onWritable, a response would leave that callback behind for ever. */
  #cut(): void {
    if (this.#isOver) return
    this.#leave()
    setImmediate(() => {
      if (!this.#isGone) this.#res.close()
    })
  }

  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#rest = null
    clearInterval(this.#ticking)
    clearTimeout(this.#stalling)
    this.#parts.slices.stop()
    this.#parts.onOver()
  }
}
