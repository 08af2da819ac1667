import { Failure } from '../domain/failure.ts'
import type { Db } from './database.ts'
import type { Migration } from './migrations/index.ts'

/** 'MJLS' in the header of the file says that this SQLite database is ours. */
const APPLICATION_ID = 0x4d4a4c53

export function migrate(db: Db, schema: string, migrations: readonly Migration[]): void {
  const newest = migrations.length + 1
  if (readVersion(db) === newest) return
  db.transaction(() => {
    // Read again under the write lock: another process may have been faster.
    if (readVersion(db) === 0) create(db, schema, newest)
  }).immediate()
  // SQLite changes a constraint by building a table anew, and dropping the old one would take its children along.
  db.pragma('foreign_keys = off')
  try {
    for (let from = readVersion(db); from < newest; from++) {
      db.transaction(() => step(db, from, migrations[from - 1])).immediate()
    }
  } finally {
    db.pragma('foreign_keys = on')
  }
}

function step(db: Db, from: number, migration: Migration | undefined): void {
  if (readVersion(db) !== from) return
  migration?.(db)
  const orphans = db.pragma('foreign_key_check') as { table: string }[]
  if (orphans.length > 0) {
    throw new Error(
      `The step from version ${from} leaves ${orphans[0]?.table} with lost references`,
    )
  }
  setPragma(db, 'user_version', from + 1)
}

/** Refuses what this program must not touch, before anything is written; answers the version that is there. */
export function refuseForeignOrNewer(db: Db, file: string, newest: number): number {
  // In one transaction, so that another process that begins the file is seen before it or after it.
  return db.transaction(() => refuse(db, file, newest)).deferred()
}

function refuse(db: Db, file: string, newest: number): number {
  const version = readVersion(db)
  if (version > newest) {
    throw new Failure(
      `${file} was written by a newer Majlis (its schema is version ${version}, this program knows up to ${newest}): start that newer version, or name another folder with --data.`,
    )
  }
  const id = Number(db.pragma('application_id', { simple: true }))
  const tables = Number(db.prepare('select count(*) from sqlite_schema').pluck().get())
  const isEmpty = version === 0 && tables === 0 && id === 0
  if (id !== APPLICATION_ID && !isEmpty) {
    throw new Failure(
      `${file} is an SQLite database, but not one of Majlis: name another folder with --data.`,
    )
  }
  return version
}

function create(db: Db, schema: string, version: number): void {
  db.exec(schema)
  setPragma(db, 'application_id', APPLICATION_ID)
  setPragma(db, 'user_version', version)
}

function readVersion(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }))
}

function setPragma(db: Db, name: string, value: number): void {
  db.pragma(`${name} = ${value}`)
}
