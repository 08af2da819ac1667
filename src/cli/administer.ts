import { type AdminContext, adminContext } from '../admin/context.ts'
import { systemClock } from '../clock.ts'
import { dataFolder, lockFolder, prepareFolder, requireDatabase } from '../db/data-folder.ts'
import { explainSqlite, openDatabase } from '../db/open.ts'
import { keepAddonsIn } from '../native.ts'

/** Opens the database of an existing folder for one command. */
export function administer<T>(
  data: string,
  work: (context: AdminContext) => T | Promise<T>,
): Promise<T> {
  requireDatabase(dataFolder(data))
  return withDatabase(data, work)
}

/** The same for the one command that may begin a folder. */
export function beginOrAdminister<T>(
  data: string,
  work: (context: AdminContext) => T | Promise<T>,
): Promise<T> {
  prepareFolder(dataFolder(data))
  return withDatabase(data, work)
}

async function withDatabase<T>(
  data: string,
  work: (context: AdminContext) => T | Promise<T>,
): Promise<T> {
  const folder = dataFolder(data)
  keepAddonsIn(folder.path)
  const db = openDatabase(folder.database, (upgrade) => {
    const lock = lockFolder(folder)
    try {
      upgrade()
    } finally {
      lock.release()
    }
  })
  try {
    return await work(adminContext(db, systemClock))
  } catch (error) {
    throw explainSqlite(error, folder.database)
  } finally {
    db.close()
  }
}
