import Database from 'better-sqlite3'
import type { Db } from './database.ts'

interface Write {
  work: () => unknown
  afterRollback: (error: unknown) => void
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown }

export interface GroupCommit {
  /**
   * Runs `work` in the transaction that this turn's writes share and answers after its commit. When `work` throws,
   * it alone is rolled back; `afterRollback` may then write what must be kept of the refusal.
   */
  run<T>(work: () => T, afterRollback?: (error: unknown) => void): Promise<T>
  /** Commits what is waiting, at once. */
  flush(): void
}

/** While another process holds the write lock, reads go on and writes wait: tried again this often, this long. */
const RETRY_PAUSE = 20
const MOST_RETRIES = 250

/**
 * Durability is WAL with synchronous=FULL; speed comes from sharing the fsync. Writes that arrive in one turn of the
 * event loop run in one transaction, each in its own savepoint, and are answered after the one commit.
 */
export function groupCommit(db: Db): GroupCommit {
  const begin = db.prepare('begin immediate')
  const savepoint = db.prepare('savepoint one_write')
  const release = db.prepare('release one_write')
  const rollbackOne = db.prepare('rollback to one_write')
  const commit = db.prepare('commit')
  const rollback = db.prepare('rollback')
  let waiting: Write[] = []
  let retries = 0

  function run<T>(work: () => T, afterRollback: (error: unknown) => void = () => {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ work, afterRollback, resolve, reject })
    })
  }

  function flush(): void {
    if (waiting.length === 0) return
    try {
      begin.run()
    } catch (error) {
      if (isLocked(error) && retries < MOST_RETRIES) {
        retries++
        setTimeout(flush, RETRY_PAUSE)
      } else settleAll(error)
      return
    }
    retries = 0
    runBatch()
  }

  function runBatch(): void {
    const batch = waiting
    waiting = []
    let outcomes: Outcome[]
    try {
      outcomes = batch.map(runOne)
      commit.run()
    } catch (error) {
      giveUp()
      for (const write of batch) write.reject(error)
      return
    }
    for (const [index, write] of batch.entries()) {
      const outcome = outcomes[index] as Outcome
      if (outcome.ok) write.resolve(outcome.value as never)
      else write.reject(outcome.error)
    }
  }

  function runOne(write: Write): Outcome {
    savepoint.run()
    try {
      const value = write.work()
      release.run()
      return { ok: true, value }
    } catch (error) {
      // A full or failing disk makes SQLite roll back the whole transaction: then nothing of the batch was kept.
      if (!db.inTransaction) throw error
      rollbackOne.run()
      release.run()
      return keepRefusal(write, error)
    }
  }

  /** What is kept of a refusal is a write too, and fails alone as well. */
  function keepRefusal(write: Write, error: unknown): Outcome {
    savepoint.run()
    try {
      write.afterRollback(error)
      release.run()
      return { ok: false, error }
    } catch (fault) {
      if (!db.inTransaction) throw fault
      rollbackOne.run()
      release.run()
      return { ok: false, error: fault }
    }
  }

  function giveUp(): void {
    try {
      if (db.inTransaction) rollback.run()
    } catch {
      // The next transaction will say what is wrong with the disk.
    }
  }

  function settleAll(error: unknown): void {
    const batch = waiting
    waiting = []
    retries = 0
    for (const write of batch) write.reject(error)
  }

  return { run, flush }
}

function isLocked(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
