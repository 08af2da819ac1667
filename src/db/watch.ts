import type { Db } from './open.ts'

const INTERVAL = 200

/** Calls `onChange` soon after another process (the command line) has changed the database. */
export function watchOtherProcesses(db: Db, onChange: () => void): { stop(): void } {
  const dataVersion = db.prepare<[], number>('pragma data_version').pluck()
  let seen = dataVersion.get()
  const timer = setInterval(() => {
    const now = dataVersion.get()
    if (now === seen) return
    seen = now
    onChange()
  }, INTERVAL).unref()
  return { stop: () => clearInterval(timer) }
}
