import type { GroupCommit } from '../db/commit.ts'
import type { ByteLedger } from '../resources/files/bytes.ts'
import type { Vault } from '../storage/vault.ts'
import type { Worker } from './runner.ts'

export interface DiscardParts {
  bytes: Pick<ByteLedger, 'discarded' | 'forgetDiscarded'>
  vault: Pick<Vault, 'remove'>
  commit: GroupCommit
  onFault(error: unknown): void
  /** How long what could not be removed is left alone, in milliseconds. */
  pause?: number
}

const AT_ONCE = 100
const PAUSE = 60_000

/** Removes the bytes of deleted files, once their rows are gone for good. */
export function discardWorker({
  bytes,
  vault,
  commit,
  onFault,
  pause = PAUSE,
}: DiscardParts): Worker {
  /** What could not be removed, and is tried again after the pause. */
  const stuck = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isBusy = false
  /** Somebody woke it while it was busy: what he meant may have come too late to be seen. */
  let isAsked = false
  /** After a fault of the database, which every wake would only meet again. */
  let isResting = false
  let isStopped = false

  function wake(): void {
    isAsked = true
    if (isBusy || isStopped || isResting) return
    isBusy = true
    isAsked = false
    drain()
      .catch((fault) => {
        if (isStopped) return
        onFault(fault)
        isResting = true
      })
      .finally(() => {
        isBusy = false
        if (isResting || stuck.size > 0) tryLater()
        if (isAsked) wake()
      })
  }

  async function drain(): Promise<void> {
    for (let names = next(); names.length > 0; names = next()) {
      const removed: string[] = []
      for (const name of names) {
        if (await isRemoved(name)) removed.push(name)
      }
      await commit.run(() => {
        for (const name of removed) bytes.forgetDiscarded(name)
      })
    }
  }

  async function isRemoved(name: string): Promise<boolean> {
    try {
      await vault.remove(name)
      return true
    } catch (error) {
      onFault(error)
      stuck.add(name)
      return false
    }
  }

  function next(): string[] {
    if (isStopped) return []
    return bytes.discarded(AT_ONCE + stuck.size).filter((name) => !stuck.has(name))
  }

  function tryLater(): void {
    if (isStopped || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      isResting = false
      stuck.clear()
      wake()
    }, pause).unref()
  }

  return {
    wake,
    async stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
