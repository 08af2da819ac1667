import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Sandbox } from '../../src/index.ts'

/** Looks into the database of a sandbox with `storage: 'folder'`, as another process would. */
export function lookInto<T>(majlis: Sandbox, sql: string, ...values: unknown[]): T[] {
  const db = new Database(fileOf(majlis), { readonly: true })
  try {
    return db.prepare<unknown[], T>(sql).all(...values)
  } finally {
    db.close()
  }
}

/** The same, to break something that no request could break. */
export function openForWriting(majlis: Sandbox): Database.Database {
  return new Database(fileOf(majlis))
}

function fileOf({ folder }: Sandbox): string {
  if (folder === null) throw new Error("boot with storage: 'folder' to look inside")
  return join(folder, 'majlis.db')
}
