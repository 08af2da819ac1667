import type { ByteSource } from '../domain/byte-source.ts'

/** Where larger ones send no faster, and a hundred slow readers cost 13 MB. */
const SLICE = 128 * 1024

/** Up to here uWebSockets.js copies what it sends. The last slice is longer, unless it is the only one. */
export const COPIED = 16 * 1024

/**
 * The bytes of an answer, read in order, one slice at a time. The source is closed once, as soon as it has been read
 * to its end or nobody wants the rest, but never while a read is under way: its descriptor could be another file's.
 */
export class Slices {
  readonly size: number
  readonly #source: ByteSource
  readonly #onFault: (error: unknown) => void
  #offset = 0
  #isReading = false
  #isStopped = false
  #isClosed = false

  constructor(source: ByteSource, onFault: (error: unknown) => void) {
    this.size = source.size
    this.#source = source
    this.#onFault = onFault
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.size
  }

  /** Calls neither of the two once it was stopped. A fault is reported here; what follows from it is for `fail`. */
  async read(take: (slice: Uint8Array) => void, fail: () => void): Promise<void> {
    try {
      const slice = await this.#next()
      if (!this.#isStopped) take(slice)
    } catch (error) {
      this.#onFault(error)
      if (!this.#isStopped) fail()
    }
  }

  stop(): void {
    this.#isStopped = true
    if (!this.#isReading) this.#close()
  }

  async #next(): Promise<Uint8Array> {
    const left = this.size - this.#offset
    const wanted = left > SLICE + COPIED ? SLICE : left
    this.#isReading = true
    try {
      const slice = await this.#fill(wanted)
      this.#offset += wanted
      return slice
    } finally {
      this.#isReading = false
      if (this.#isStopped || this.isAtEnd) this.#close()
    }
  }

  /** A source may give less than it was asked for. */
  async #fill(wanted: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    for (let got = 0; got < wanted; got += parts.at(-1)?.length ?? 0) {
      const part = await this.#source.read(this.#offset + got, wanted - got)
      if (part.length < 1 || part.length > wanted - got) {
        throw new Error(`${part.length} bytes were read where ${wanted - got} were asked for`)
      }
      parts.push(part)
    }
    return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts)
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      this.#source.close()
    } catch (error) {
      this.#onFault(error)
    }
  }
}
