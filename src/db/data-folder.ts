import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { Failure } from '../domain/failure.ts'
import { explainSqlite } from './open.ts'

/** The folder with everything a company trusts Majlis with: the database, and the files beside it. */
export interface DataFolder {
  path: string
  database: string
  /** The bytes of uploads, by random names. */
  files: string
  /** The bytes of those that a scan found infected. */
  quarantine: string
  /** What an older database, put beside newer files, knows nothing of. */
  orphans: string
  /** The digests that the builtin scanner calls infected. */
  digestList: string
  /** The key to the passwords of connected calendars: beside the database, never inside it. */
  secretKey: string
}

export function dataFolder(path: string): DataFolder {
  const folder = resolve(path)
  return {
    path: folder,
    database: join(folder, 'majlis.db'),
    files: join(folder, 'files'),
    quarantine: join(folder, 'quarantine'),
    orphans: join(folder, 'orphans'),
    digestList: join(folder, 'infected-sha256.txt'),
    secretKey: join(folder, 'secret.key'),
  }
}

export function prepareFolder(folder: DataFolder): void {
  try {
    makeFolder(folder.path)
    accessSync(folder.path, constants.R_OK | constants.W_OK | constants.X_OK)
    if (!statSync(folder.path).isDirectory()) throw new Error('not a directory')
  } catch (error) {
    throw new Failure(
      `The data folder ${folder.path} cannot be written to (${reasonOf(error)}): give this user the right to write there, or name another with --data.`,
    )
  }
}

/** A command that only looks or changes must not make an empty world out of a mistyped folder. */
export function requireDatabase(folder: DataFolder): void {
  if (existsSync(folder.database)) {
    if (statSync(folder.database).size > 0) return
    throw new Failure(
      `${folder.database} is empty, as if its data were lost: put a backup of it in its place, or remove it to begin anew.`,
    )
  }
  throw new Failure(
    `There is no Majlis data in ${folder.path}: name its folder with --data (or MAJLIS_DATA), or begin with 'majlis company create'.`,
  )
}

/**
 * One server a folder. The lock is a lock of the operating system, taken through SQLite on a file of its own, so that
 * it ends with the process, even with kill -9.
 */
export function lockFolder(folder: DataFolder): { release(): void } {
  const file = join(folder.path, 'server.lock')
  let lock: Database.Database | null = null
  try {
    lock = new Database(file, { timeout: 0 })
    lock.pragma('locking_mode = exclusive')
    lock.exec('begin exclusive')
  } catch (error) {
    lock?.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new Failure(
        `Another Majlis server is running on ${folder.path}: stop it first, or name another folder with --data.`,
      )
    }
    throw explainSqlite(error, file)
  }
  const held = lock
  return { release: () => held.close() }
}

/** Level by level: with `recursive`, Node never returns from a place that takes no folders, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  return code ?? (error as Error).message
}
