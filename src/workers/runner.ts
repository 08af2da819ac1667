import type { GroupCommit } from '../db/commit.ts'
import type { Job, JobQueue } from '../db/jobs.ts'

export interface RunnerParts {
  queue: JobQueue
  commit: GroupCommit
  /** How many jobs are under way at a time. */
  atMost: number
  /** Does the work of one job and finishes it. Where it rejects, the job is tried again later. */
  run(job: Job): Promise<void>
  now(): number
  onFault(error: unknown): void
}

export interface Worker {
  /** There may be something to do. */
  wake(): void
  /** Begins nothing any more, and lets what is under way come to nothing. */
  stop(): void
}

/** Looked at again at least this often while something waits: the clock may be moved by hand. */
const LONGEST_SLEEP = 1_000
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000

/** Works off a queue of rows, in this process. */
export function jobRunner({ queue, commit, atMost, run, now, onFault }: RunnerParts): Worker {
  const underway = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function wake(): void {
    if (isStopped) return
    try {
      clearTimeout(timer)
      while (underway.size < atMost && begin()) {}
      if (underway.size < atMost) sleep(queue.nextAt(now()))
    } catch (error) {
      onFault(error)
      sleep(now() + LONGEST_SLEEP)
    }
  }

  function begin(): boolean {
    const job = queue.due(now(), underway.size + 1).find(({ id }) => !underway.has(id))
    if (job === undefined) return false
    underway.add(job.id)
    run(job)
      .catch((error: unknown) => postpone(job, error))
      .catch((fault: unknown) => {
        if (!isStopped) onFault(fault)
      })
      .finally(() => {
        underway.delete(job.id)
        wake()
      })
    return true
  }

  async function postpone(job: Job, error: unknown): Promise<void> {
    if (isStopped) return
    const until = now() + pauseAfter(job.attempts)
    const reason = error instanceof Error ? error.message : String(error)
    await commit.run(() => queue.postpone(job, until, reason))
  }

  function sleep(until: number | null): void {
    if (until === null) return
    timer = setTimeout(wake, Math.min(until - now(), LONGEST_SLEEP)).unref()
  }

  return {
    wake,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** 1 s, 2 s, 4 s and so on, up to a minute. */
function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE * 2 ** Math.min(attempts, 10), LONGEST_PAUSE)
}
