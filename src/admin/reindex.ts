import { type NameRebuild, nameRebuild, type Progress } from '../db/names/rebuild.ts'
import type { AdminContext } from './context.ts'

/** Names a transaction. */
const SLICE = 200
/** In milliseconds, longer than the pauses of a running server that waits for its turn to write. */
const PAUSE = 25

type OnProgress = (phase: Progress['phase'], percent: number) => void

/** Builds the index of names anew, beside the one that goes on answering. `onProgress` hears of every whole percent. */
export async function reindexNames({ db }: AdminContext, onProgress: OnProgress) {
  const rebuild = nameRebuild(db)
  const inTransaction = <T>(work: () => T): T => db.transaction(work).immediate()
  // What is damaged cannot be built beside, nor cleared away. It can be made anew: the names are somewhere else.
  const isSound = db.pragma('integrity_check(names)', { simple: true }) === 'ok'
  inTransaction(isSound ? rebuild.begin : rebuild.startOver)
  return toTheEnd(rebuild, inTransaction, onProgress)
}

async function toTheEnd(
  rebuild: NameRebuild,
  inTransaction: <T>(work: () => T) => T,
  onProgress: OnProgress,
): Promise<{ reindexed: true; names: number }> {
  for (let told = -1; ; ) {
    const { phase, names, share } = inTransaction(() => rebuild.goOn(SLICE))
    if (phase === 'done') return { reindexed: true, names }
    const percent = Math.floor(share * 100)
    if (percent !== told) onProgress(phase, percent)
    told = percent
    await new Promise((resume) => setTimeout(resume, PAUSE))
  }
}
