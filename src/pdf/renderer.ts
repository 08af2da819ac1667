import { type Reply, startTypesetter, type TypesetterProcess } from './process.ts'
import { PdfRefusal } from './refusal.ts'

export { PdfRefusal } from './refusal.ts'

export interface PdfRenderer {
  render(markdown: string, title: string): Promise<Buffer>
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
  /** Hears what is wrong with the machine; the caller is told only what it means for the text. */
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
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  let closed = false

  function discard(): void {
    typesetter?.kill()
    typesetter = null
  }

  async function renderNow(markdown: string, title: string, latest: number): Promise<Buffer> {
    if (closed) throw new PdfRefusal('cannot be set as a PDF now, as the server is closing')
    if (performance.now() > latest) {
      throw new PdfRefusal('cannot be set as a PDF now, as too many others wait: try again later')
    }
    clearTimeout(idle)
    if (!typesetter?.isAlive()) typesetter = startTypesetter()
    try {
      await within(START_DEADLINE, typesetter.ready)
      const reply = await within(deadline, typesetter.set({ markdown, title }))
      if (reply.rss > LARGEST) discard()
      return pdfOf(reply)
    } catch (error) {
      if (!(error instanceof PdfRefusal)) discard()
      const refusal = refusalOf(error, deadline)
      if (refusal.cause !== undefined) onFault(refusal.cause)
      throw refusal
    } finally {
      typesetter?.rest()
      idle = setTimeout(discard, IDLE).unref()
    }
  }

  return {
    render(markdown, title) {
      const latest = performance.now() + patience
      const mine = last.then(() => renderNow(markdown, title, latest))
      last = mine.catch(() => {})
      return mine
    },
    async close() {
      closed = true
      discard()
      await last
      clearTimeout(idle)
    },
  }
}

function pdfOf({ pdf, refusal }: Reply): Buffer {
  if (pdf) return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  throw new PdfRefusal(refusal)
}

/** The caller hears what to do about the text; what went wrong with the machine is for the log. */
function refusalOf(error: unknown, deadline: number): PdfRefusal {
  if (error instanceof PdfRefusal) return error
  if (error instanceof Late && error.allowed === deadline) {
    const seconds = deadline / 1000
    return new PdfRefusal(
      `took longer than ${seconds} seconds to set as a PDF: shorten or simplify it`,
    )
  }
  return new PdfRefusal('cannot be set as a PDF: this server has no working typesetter', {
    cause: error,
  })
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
