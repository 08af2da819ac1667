import type { GroupCommit } from '../db/commit.ts'
import type { ByteLedger } from '../resources/files/bytes.ts'
import type { Vault } from '../storage/vault.ts'
import type { Worker } from './runner.ts'

export interface DiscardParts {
  bytes: ByteLedger
  vault: Vault
  commit: GroupCommit
  onFault(error: unknown): void
}

const AT_ONCE = 100
const PAUSE_AFTER_FAULT = 60_000

/** Removes the bytes of deleted files, once their rows are gone for good. */
export function discardWorker({ bytes, vault, commit, onFault }: DiscardParts): Worker {
  let isBusy = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    if (isBusy || isStopped) return
    isBusy = true
    drain()
      .catch(retryLater)
      .finally(() => {
        isBusy = false
      })
  }

  async function drain(): Promise<void> {
    for (let names = next(); names.length > 0; names = next()) {
      for (const name of names) await vault.remove(name)
      const removed = names
      await commit.run(() => {
        for (const name of removed) bytes.forgetDiscarded(name)
      })
    }
  }

  function next(): string[] {
    return isStopped ? [] : bytes.discarded(AT_ONCE)
  }

  function retryLater(error: unknown): void {
    if (isStopped) return
    onFault(error)
    timer = setTimeout(wake, PAUSE_AFTER_FAULT).unref()
  }

  return {
    wake,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
