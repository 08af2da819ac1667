import type { GroupCommit } from '../db/commit.ts'
import type { NameRebuild, Progress } from '../db/names/rebuild.ts'
import type { Worker } from './runner.ts'

export interface ReindexParts {
  names: NameRebuild
  commit: GroupCommit
  note(sentence: string): void
  onFault(error: unknown): void
}

/** Names a transaction: it takes a few milliseconds, for which every request waits. */
const SLICE = 50
/** In milliseconds: between two slices the server belongs to its callers. */
const PAUSE = 5
const PAUSE_AFTER_FAULT = 60_000
/** Progress is told at every tenth. */
const STEPS = 10

/** Builds the index of names anew where the rules for reading them have changed, while the old one goes on answering. */
export function reindexWorker({ names, commit, note, onFault }: ReindexParts): Worker {
  let underway: Promise<void> | null = null
  let isStopped = false
  let resting: NodeJS.Timeout | undefined

  function wake(): void {
    if (isStopped || underway !== null || resting !== undefined) return
    try {
      if (!names.isDue()) return
    } catch (error) {
      rest(error)
      return
    }
    underway = work()
      .catch(rest)
      .finally(() => {
        underway = null
      })
  }

  async function work(): Promise<void> {
    await commit.run(names.resume)
    let told = ''
    while (!isStopped) {
      const progress = await commit.run(() => names.goOn(SLICE))
      if (progress.phase === 'done') return
      const sentence = sentenceOf(progress)
      if (sentence !== told) note(sentence)
      told = sentence
      await pause()
    }
  }

  function rest(error: unknown): void {
    if (isStopped) return
    onFault(error)
    resting = setTimeout(() => {
      resting = undefined
      wake()
    }, PAUSE_AFTER_FAULT).unref()
  }

  return {
    wake,
    async stop() {
      isStopped = true
      clearTimeout(resting)
      await underway
    },
  }
}

/** The same for a tenth of the way. */
function sentenceOf({ phase, share }: Progress): string {
  if (phase === 'clearing')
    return 'Search: every name has been read, and is found by the new index.'
  const percent = Math.floor(share * STEPS) * (100 / STEPS)
  return `Search: the names are being read anew, ${percent}% so far. Until then the index that is there answers.`
}

function pause(): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume, PAUSE)
  })
}
