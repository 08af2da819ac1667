import type { GroupCommit } from '../db/commit.ts'
import type { Departed, DepartedNames } from '../db/names/departed.ts'
import type { NameRebuild, Progress } from '../db/names/rebuild.ts'
import type { Worker } from './runner.ts'

export interface ReindexParts {
  names: NameRebuild
  departed: DepartedNames
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

/**
 * Builds the index of names anew where the rules for reading them have changed, while the old one goes on answering;
 * and takes the names of deleted projects out of it.
 */
export function reindexWorker({ names, departed, commit, note, onFault }: ReindexParts): Worker {
  let underway: Promise<void> | null = null
  let isStopped = false
  let resting: NodeJS.Timeout | undefined

  function wake(): void {
    if (isStopped || underway !== null || resting !== undefined) return
    try {
      if (!names.isDue() && !departed.isDue()) return
    } catch (error) {
      rest(error)
      return
    }
    underway = work()
      .catch(rest)
      .finally(() => {
        underway = null
        // Somebody may have woken it while it came to its end.
        wake()
      })
  }

  async function work(): Promise<void> {
    if (names.isDue()) await rebuild()
    for (let next = departed.next(); next !== null && !isStopped; next = departed.next()) {
      await clear(next)
    }
  }

  async function rebuild(): Promise<void> {
    await commit.run(names.resume)
    let told = ''
    while (!isStopped) {
      const startedAt = performance.now()
      const progress = await commit.run(() => names.goOn(SLICE))
      if (progress.phase === 'done') return
      const sentence = sentenceOf(progress)
      if (sentence !== told) note(sentence)
      told = sentence
      await pause(performance.now() - startedAt)
    }
  }

  async function clear(project: Departed): Promise<void> {
    for (let from = 0; !isStopped; from += SLICE) {
      const startedAt = performance.now()
      const hasMore = await commit.run(() => departed.clear(project, from, from + SLICE))
      if (!hasMore) return
      await pause(performance.now() - startedAt)
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
  const percent = Math.min(STEPS - 1, Math.floor(share * STEPS)) * (100 / STEPS)
  return `Search: the names are being read anew, ${percent}% so far. Until then the index that is there answers.`
}

/** For as long as the work before it took, at least: a busy server is not made twice as busy. */
function pause(worked: number): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume, Math.max(PAUSE, worked))
  })
}
