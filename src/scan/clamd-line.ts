import { Socket } from 'node:net'
import { Failure } from '../domain/failure.ts'
import { type ClamdAddress, clamdAddressText } from './choice.ts'

/** Far more than a threat's name takes. */
const ANSWER_LIMIT = 4096

export interface Heard {
  /** All that came until clamd hung up, with its zero bytes. */
  readonly text: string
  /** Whether it began before everything was said. */
  readonly isEarly: boolean
}

/**
 * One connection: says what `speak` yields, piece by piece as clamd takes it, and answers what clamd said until it hung
 * up. Rejects where nothing was heard, after `patience` milliseconds in which nothing moved, and with what `speak`
 * throws, after which nothing more is sent.
 */
export async function converse(
  address: ClamdAddress,
  patience: number,
  speak: () => AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<Heard> {
  const at = `clamd at ${clamdAddressText(address)}`
  const line = new Line()
  const giveUp = (): void => {
    line.destroy(new Failure('the server stops'))
  }
  let timer: NodeJS.Timeout | undefined
  signal?.addEventListener('abort', giveUp)
  try {
    return await new Promise((resolve, reject) => {
      const heard: Buffer[] = []
      let length = 0
      let isSaid = false
      let isEarly = false
      let isReading = false

      line.on('data', (chunk) => {
        moved()
        if (!isSaid) isEarly = true
        heard.push(chunk)
        length += chunk.length
        if (length > ANSWER_LIMIT) {
          reject(new Failure(`${at} answers without end: see that it is clamd that listens there.`))
        } else if (isEarly && chunk.at(-1) === 0) hangUp()
      })
      line.once('end', hangUp)
      line.on('error', (error: NodeJS.ErrnoException) => {
        if (length > 0) hangUp()
        else reject(cut(at, error.code ?? error.message, line.bytesWritten > 0))
      })
      line.once('connect', () => say().catch(reject))
      line.setNoDelay()
      line.connect(address)
      moved()

      async function say(): Promise<void> {
        isReading = true
        for await (const piece of speak()) {
          isReading = false
          moved()
          if (!(await line.say(piece))) return
          moved()
          isReading = true
        }
        isReading = false
        isSaid = true
      }

      function hangUp(): void {
        resolve({ text: Buffer.concat(heard).toString('utf8'), isEarly })
      }

      function moved(): void {
        clearTimeout(timer)
        if (line.destroyed) return
        timer = setTimeout(() => reject(stuck(at, patience, isReading)), patience)
      }
    })
  } finally {
    signal?.removeEventListener('abort', giveUp)
    clearTimeout(timer)
    line.destroy()
  }
}

/** clamd may complain and hang up while it is being told: a write that fails must not take the complaint away unread. */
class Line extends Socket {
  #isCut = false

  /** Whether clamd has taken it. */
  say(piece: Uint8Array): Promise<boolean> {
    return new Promise((resolve) => {
      this.write(piece, (error) => resolve(!error && !this.#isCut))
    })
  }

  override _write(
    chunk: unknown,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    super._write(chunk, encoding, (error) => {
      if (error) this.#isCut = true
      done()
    })
  }
}

function cut(at: string, code: string, hadBegun: boolean): Failure {
  if (hadBegun) return new Failure(`${at} broke off (${code}): look into its log, and restart it.`)
  return new Failure(
    code === 'EACCES'
      ? `${at} may not be reached (EACCES): let this user write to its socket, for example in the group clamav.`
      : `${at} does not answer (${code}): start it, or name its address with --scanner.`,
  )
}

function stuck(at: string, patience: number, isReading: boolean): Failure {
  const wait = `for ${patience / 1000} s`
  return new Failure(
    isReading
      ? `The stored file could not be read ${wait}: look after the disk.`
      : `${at} has not moved ${wait}: see whether it hangs or has too much to do, and restart it.`,
  )
}
