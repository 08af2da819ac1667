import { type ChildProcess, fork, type StdioOptions, spawn } from 'node:child_process'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import { addonFolder } from '../native.ts'
import { PdfRefusal } from './refusal.ts'
import { TYPESETTER_MARK } from './typesetter-mark.ts'

/** The markdown and the parsed document of the largest text, several times over. */
const HEAP_MB = 256

export interface Job {
  markdown: string
  title: string
}

export interface Reply {
  pdf?: Uint8Array
  refusal?: string
  /** What is behind the refusal, for the log. */
  fault?: string
  /** Bytes of memory that the typesetter has of the machine. */
  rss: number
}

/** What the typesetter says when it starts: that it waits for a job, or why it cannot do any. */
export interface Greeting {
  broken?: string
}

/** Alive from its start to its `kill`; keeps this process from ending only between `set` and its reply. */
export interface TypesetterProcess {
  ready: Promise<void>
  set(job: Job): Promise<Reply>
  isAlive(): boolean
  rest(): void
  kill(): void
}

export function startTypesetter(): TypesetterProcess {
  const child = launch()
  const complaint = tailOf(child)
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      child.once('message', (message) => resolve(message as T))
      child.once('error', reject)
      child.once('close', (code, signal) => {
        reject(new Fallen(`The typesetter ended with ${signal ?? code}: ${complaint()}`))
      })
    }).finally(() => {
      for (const event of ['message', 'error', 'close']) child.removeAllListeners(event)
      child.on('error', () => {})
    })
  const ready = next<Greeting>().then(({ broken }) => {
    if (broken !== undefined) throw new Error(broken)
  })
  ready.catch(() => {})
  return {
    ready,
    set(job) {
      child.ref()
      child.channel?.ref()
      const reply = next<Reply>()
      // A process that has just fallen is heard of by its end.
      child.send(job, () => {})
      return reply.catch((error) => {
        throw error instanceof Fallen ? tooMuch(error) : error
      })
    },
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    rest() {
      child.unref()
      child.channel?.unref()
    },
    kill: () => child.kill('SIGKILL'),
  }
}

class Fallen extends Error {}

function tooMuch(cause: Fallen): PdfRefusal {
  return new PdfRefusal('is more than can be set as a PDF: shorten or simplify it', { cause })
}

/** In the executable the process is the executable itself, which sees by the mark what it is to be. */
function launch(): ChildProcess {
  const env = {
    [TYPESETTER_MARK]: 'yes',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    // The code cache of the executable was made without that limit, and a warning says so.
    NODE_NO_WARNINGS: '1',
    RAYON_NUM_THREADS: '1',
  }
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', 'ipc']
  const serialization = 'advanced'
  if (isSea()) {
    const carried = { ...env, MAJLIS_NATIVE: addonFolder() }
    return spawn(process.execPath, [], { stdio, serialization, env: carried })
  }
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const file = fileURLToPath(new URL(`./typesetter.${extension}`, import.meta.url))
  return fork(file, { stdio, serialization, env })
}

/** The end of what a falling process writes: a panic says there what it was. */
function tailOf({ stderr }: ChildProcess): () => string {
  let tail = ''
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-2000)
  })
  const socket = stderr as { unref?(): void } | null
  socket?.unref?.()
  return () => tail.trim()
}
