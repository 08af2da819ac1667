import Database from 'better-sqlite3'
import { readAsset } from '../assets.ts'
import { Failure } from '../domain/failure.ts'
import { type Reader, readers } from '../domain/name-reader.ts'
import type { Db } from './database.ts'
import { migrate, refuseForeignOrNewer } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { keepNames } from './names/keep.ts'
import { waitFor } from './wait.ts'

const BUSY_TIMEOUT = 5_000
const PAUSE = 20
const IN_MEMORY = ':memory:'

/** How a database of an older version is brought forward: `upgrade` runs the steps. */
export type OnOlder = (upgrade: () => void) => void

/**
 * Opens the database, creating or migrating it; durability is set on every open, as SQLite forgets it. Whoever may
 * meet a running server says `onOlder`, so that no schema changes below the statements of that server.
 */
export function openDatabase(
  file: string,
  onOlder: OnOlder = (upgrade) => upgrade(),
  known: readonly Reader[] = readers,
): Db {
  const db = connect(file)
  try {
    const version = refuseForeignOrNewer(db, file, migrations.length + 1)
    setPragmas(db, file)
    const upgrade = () => migrate(db, readAsset('schema.sql'), migrations)
    if (version > 0 && version <= migrations.length) onOlder(upgrade)
    else upgrade()
    keepNames(db, known)
    return db
  } catch (error) {
    db.close()
    throw explainSqlite(error, file)
  }
}

export function openInMemory(): Db {
  return openDatabase(IN_MEMORY)
}

function connect(file: string): Db {
  try {
    return new Database(file, { timeout: BUSY_TIMEOUT })
  } catch (error) {
    throw explainSqlite(error, file)
  }
}

function setPragmas(db: Db, file: string): void {
  const journal = file === IN_MEMORY ? 'memory' : 'wal'
  const wanted: [name: string, value: string, answer: string | number][] = [
    ['journal_mode', journal, journal],
    ['synchronous', 'full', 2],
    ['foreign_keys', 'on', 1],
    ['trusted_schema', 'off', 0],
    ['journal_size_limit', '67108864', 67108864],
    // Pages that change again and again are copied into the file once in 32 MB of log, not once in four.
    ['wal_autocheckpoint', '8000', 8000],
    ['cache_size', '-65536', -65536],
  ]
  for (const [name, value, answer] of wanted) {
    patiently(() => db.pragma(`${name} = ${value}`))
    const got = db.pragma(name, { simple: true })
    if (got !== answer) {
      throw new Failure(
        `${file} cannot be opened safely: SQLite answered ${name} = ${got} instead of ${answer}; keep the data on a local disk.`,
      )
    }
  }
}

/** A switch to WAL that meets another's is refused at once, whatever the timeout says. */
function patiently(work: () => void): void {
  for (let waited = 0; ; waited += PAUSE) {
    try {
      work()
      return
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!isBusy || waited >= BUSY_TIMEOUT) throw error
      waitFor(PAUSE)
    }
  }
}

/** Of the search index, which can be made anew, and not of what people wrote. */
export function isIndexDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === 'SQLITE_CORRUPT_VTAB'
}

/** The sentence an operator reads, for what SQLite says in codes. */
export function explainSqlite(error: unknown, file: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  if (isIndexDamage(error)) {
    return new Failure(
      `The search index in ${file} is damaged (${error.message}): majlis search reindex builds it anew from the names.`,
    )
  }
  if (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT')) {
    return new Failure(
      `${file} is damaged or is no database (${error.message}): put a backup of it in its place, or name another folder with --data.`,
    )
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|IOERR|FULL)/.test(error.code)) {
    return new Failure(
      `${file} cannot be opened for writing (${error.message}): check the disk's space and that this user may write to the folder, or name another with --data.`,
    )
  }
  if (error.code.startsWith('SQLITE_BUSY')) {
    return new Failure(`${file} is locked by another program: close it, then try again.`)
  }
  return error
}
