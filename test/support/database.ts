import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Sandbox } from '../../src/index.ts'

/** Looks into the database of a sandbox with `storage: 'folder'`, as another process would. */
export function lookInto<T>(majlis: Sandbox, sql: string, ...values: unknown[]): T[] {
  if (majlis.folder === null) throw new Error("boot with storage: 'folder' to look inside")
  const db = new Database(join(majlis.folder, 'majlis.db'), { readonly: true })
  try {
    return db.prepare<unknown[], T>(sql).all(...values)
  } finally {
    db.close()
  }
}
