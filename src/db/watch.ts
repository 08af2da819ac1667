import type { Db } from './database.ts'

const INTERVAL = 200

export interface Watcher {
  onChange(): void
  /** A disk that does not answer now may answer the next time: the watch goes on. */
  onFault(error: unknown): void
}

/** Tells soon after another process (the command line) has changed the database. */
export function watchOtherProcesses(db: Db, watcher: Watcher): { stop(): void } {
  const dataVersion = db.prepare<[], number>('pragma data_version').pluck()
  let seen = dataVersion.get()
  const timer = setInterval(() => {
    try {
      const now = dataVersion.get()
      if (now === seen) return
      seen = now
      watcher.onChange()
    } catch (error) {
      watcher.onFault(error)
    }
  }, INTERVAL).unref()
  return { stop: () => clearInterval(timer) }
}
