import { nameRebuild, type Progress } from '../db/names/rebuild.ts'
import type { AdminContext } from './context.ts'

/** Names a transaction; a running server writes between two. */
const SLICE = 500
/** In milliseconds. */
const PAUSE = 5

/** Builds the index of names anew, beside the one that goes on answering. `onProgress` hears of every whole percent. */
export async function reindexNames(
  { db }: AdminContext,
  onProgress: (phase: Progress['phase'], percent: number) => void,
): Promise<{ reindexed: true; names: number }> {
  const rebuild = nameRebuild(db)
  db.transaction(rebuild.begin).immediate()
  const slice = db.transaction(() => rebuild.goOn(SLICE))
  for (let told = -1; ; ) {
    const { phase, names, share } = slice.immediate()
    if (phase === 'done') return { reindexed: true, names }
    const percent = Math.floor(share * 100)
    if (percent !== told) onProgress(phase, percent)
    told = percent
    await new Promise((resume) => setTimeout(resume, PAUSE))
  }
}
