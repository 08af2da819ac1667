import type { GroupCommit } from '../db/commit.ts'

/** A row that says what is to be done. */
export interface Task {
  readonly id: number
  /** How often it has failed. */
  readonly attempts: number
}

/** Rows of one kind of work: what is promised survives a kill -9. */
interface Queue<T extends Task> {
  due(now: number, limit: number): T[]
  /** When the next one is due that is not due yet. */
  nextAt(now: number): number | null
  /** It is being done; what asks for it again from here on is done again. */
  claim(task: T, now: number): void
  postpone(task: T, until: number, reason: string): void
  giveUp(task: T, reason: string): void
}

export interface RunnerParts<T extends Task> {
  queue: Queue<T>
  commit: GroupCommit
  /** How many are under way at a time. */
  atMost: number
  /** Does the work of one and takes it off the queue. Where it rejects, it is tried again later, or given up. */
  run(task: T): Promise<void>
  /** In milliseconds: the first pause, which doubles until it is the longest. */
  pauses: { first: number; longest: number }
  isHopeless?(task: T, error: unknown): boolean
  now(): number
  onFault(error: unknown): void
}

export interface Worker {
  /** There may be something to do. */
  wake(): void
  /** Begins nothing any more. Answers once what is under way has come to its end. */
  stop(): Promise<void>
}

/** Looked at again at least this often while something waits: the clock may be moved by hand. */
const LONGEST_SLEEP = 1_000

/** Works off a queue of rows, in this process. */
export function queueRunner<T extends Task>(parts: RunnerParts<T>): Worker {
  const { queue, commit, atMost, run, pauses, isHopeless = () => false, now, onFault } = parts
  const underway = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let onIdle: () => void = () => {}

  function wake(): void {
    if (isStopped) return
    try {
      clearTimeout(timer)
      // One reading of the clock: what becomes due between two would be neither due nor waited for.
      const at = now()
      while (underway.size < atMost && begin(at)) {}
      if (underway.size < atMost) sleep(queue.nextAt(at), at)
    } catch (error) {
      onFault(error)
      sleep(LONGEST_SLEEP, 0)
    }
  }

  function begin(at: number): boolean {
    const task = queue.due(at, underway.size + 1).find(({ id }) => !underway.has(id))
    if (task === undefined) return false
    underway.add(task.id)
    work(task)
      .catch((fault: unknown) => {
        if (isStopped) return
        onFault(fault)
        // A disk that cannot keep the pause must not turn the queue into a race.
        return rest()
      })
      .finally(() => {
        underway.delete(task.id)
        if (underway.size === 0) onIdle()
        wake()
      })
    return true
  }

  async function work(task: T): Promise<void> {
    await commit.run(() => queue.claim(task, now()))
    try {
      await run(task)
    } catch (error) {
      if (!isStopped) await putOff(task, error)
    }
  }

  async function putOff(task: T, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    if (isHopeless(task, error)) {
      await commit.run(() => queue.giveUp(task, reason))
      return
    }
    const pause = Math.min(pauses.first * 2 ** Math.min(task.attempts, 20), pauses.longest)
    await commit.run(() => queue.postpone(task, now() + pause, reason))
  }

  function rest(): Promise<void> {
    return new Promise((resume) => {
      setTimeout(resume, LONGEST_SLEEP).unref()
    })
  }

  function sleep(until: number | null, from: number): void {
    if (until === null) return
    timer = setTimeout(wake, Math.min(until - from, LONGEST_SLEEP)).unref()
  }

  return {
    wake,
    stop() {
      isStopped = true
      clearTimeout(timer)
      if (underway.size === 0) return Promise.resolve()
      return new Promise<void>((resolve) => {
        onIdle = resolve
      })
    },
  }
}
