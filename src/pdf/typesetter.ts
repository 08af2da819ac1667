import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { isSea } from 'node:sea'
import { keepAddonsIn } from '../native.ts'
import { readMarkdown } from './markdown.ts'
import type { Greeting, Job, Reply } from './process.ts'
import { PdfRefusal } from './refusal.ts'
import { loadTypst, type Typesetter, Unsettable } from './typst.ts'

/*
 * The whole of the process that process.ts starts: one PDF after the other, until the server lets go of it.
 */
process.on('disconnect', () => process.exit())
// A terminal and systemd signal the server's whole group, but the server first finishes what it has begun.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
giveWay()
void begin()

async function begin(): Promise<void> {
  try {
    if (isSea()) keepAddonsIn('')
    const typeset = await loadTypst()
    process.on('message', (job: Job) => say(doJob(typeset, job)))
    say({})
  } catch (error) {
    say({ broken: String(error) })
  }
}

function doJob(typeset: Typesetter, { markdown, title }: Job): Reply {
  try {
    const pdf = typeset(readMarkdown(markdown, title))
    return { pdf, rss: process.memoryUsage.rss() }
  } catch (error) {
    const rss = process.memoryUsage.rss()
    if (error instanceof PdfRefusal) return { refusal: error.message, rss }
    if (!(error instanceof Unsettable)) throw error
    return { refusal: 'holds something that cannot be set as a PDF', fault: error.message, rss }
  }
}

function say(message: Greeting | Reply): void {
  process.send?.(message)
}

/** The server goes first where processors or memory are short. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    writeFileSync('/proc/self/oom_score_adj', '900')
  } catch {
    // Not every system has these, and none needs them.
  }
}
