import { fairTurns } from '../domain/fair-turns.ts'
import { type Reply, startTypesetter, type TypesetterProcess } from './process.ts'
import { PdfBusy, PdfRefusal } from './refusal.ts'

export interface PdfRenderer {
  /**
   * Rejects with a PdfRefusal what cannot be set, with a PdfBusy what has waited too long; any other error is a fault of
   * this machine. Whoever waits in a lane waits behind the next text of every other lane.
   */
  render(markdown: string, title: string, lane?: unknown): Promise<Buffer>
  close(): Promise<void>
}

/** Longer than any honest text takes, which is set in tens of milliseconds. */
const DEADLINE = 5_000

/** A cold disk and the first writing of the addon included. */
const START_DEADLINE = 30_000

/** What Typst once took it does not give back: a process that has grown so large makes place for a new one. */
const LARGEST = 300 * 1024 * 1024

/** A server that makes a PDF now and then does not keep the memory for it all day. */
const IDLE = 10 * 60_000

/** Nobody waits longer than this for the texts before his own. */
const PATIENCE = 60_000

interface PdfOptions {
  deadline?: number
  patience?: number
  /** Hears what is behind a refusal. */
  onFault?(error: unknown): void
}

/**
 * Sets markdown as PDF, one text at a time, in a process of its own: Typst is native code, which no thread can be
 * stopped in, and whose panic or overflow of the stack would end the server with all its requests. A process can be
 * killed at the deadline, gives all of its memory back, and takes nothing with it when it falls.
 */
export function pdfRenderer({
  deadline = DEADLINE,
  patience = PATIENCE,
  onFault = () => {},
}: PdfOptions = {}): PdfRenderer {
  let typesetter: TypesetterProcess | null = null
  const inTurn = fairTurns()
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  let closed = false

  function discard(): void {
    typesetter?.kill()
    typesetter = null
  }

  async function renderNow(markdown: string, title: string, latest: number): Promise<Buffer> {
    if (closed) throw new Error('The server is closing, and sets no more PDFs')
    if (performance.now() > latest) throw new PdfBusy()
    clearTimeout(idle)
    if (!typesetter?.isAlive()) typesetter = startTypesetter()
    try {
      await within(START_DEADLINE, typesetter.ready)
      const reply = await within(deadline, typesetter.set({ markdown, title }))
      if (reply.rss > LARGEST) discard()
      return pdfOf(reply)
    } catch (error) {
      if (!(error instanceof PdfRefusal)) discard()
      if (error instanceof PdfRefusal && error.cause !== undefined) onFault(error.cause)
      throw error instanceof Late && error.allowed === deadline ? tooLong(deadline) : error
    } finally {
      typesetter?.rest()
      idle = setTimeout(discard, IDLE).unref()
    }
  }

  return {
    render(markdown, title, lane) {
      const latest = performance.now() + patience
      return inTurn(lane, () => {
        const mine = renderNow(markdown, title, latest)
        last = mine.catch(() => {})
        return mine
      })
    },
    async close() {
      closed = true
      discard()
      await last
      clearTimeout(idle)
    },
  }
}

function pdfOf({ pdf, refusal, fault }: Reply): Buffer {
  if (pdf) return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  throw new PdfRefusal(refusal, fault === undefined ? {} : { cause: new Error(fault) })
}

function tooLong(deadline: number): PdfRefusal {
  return new PdfRefusal(
    `took longer than ${deadline / 1000} seconds to set as a PDF: shorten or simplify it`,
  )
}

class Late extends Error {
  constructor(readonly allowed: number) {
    super(`The typesetter said nothing for ${allowed} ms`)
  }
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late(milliseconds)), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
