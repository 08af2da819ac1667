import { firstFreeSlug, slugify } from '../domain/slug.ts'
import type { Db } from './database.ts'

export interface SlugTable {
  table: string
  parent: string
  record: string
}

/** The slugs of one kind of record. A retired slug stays in the table, so it goes on resolving and stays taken. */
export function slugs(db: Db, { table, parent, record }: SlugTable) {
  const owner = db
    .prepare<[number, string], number>(
      `select ${record} from ${table} where ${parent} = ? and slug = ?`,
    )
    .pluck()
  const insert = db.prepare<[number, string, number]>(`
    insert into ${table} (${parent}, slug, ${record}) values (?, ?, ?)
    on conflict (${parent}, slug) do nothing`)

  return {
    /** A slug for a record that is about to be made. */
    fresh(parentId: number, name: string): string {
      return firstFreeSlug(slugify(name), (slug) => owner.get(parentId, slug) === undefined)
    },
    /** A slug for a record under a new name: one of its own, live or retired, is free to it. */
    renamed(parentId: number, name: string, recordId: number): string {
      return firstFreeSlug(slugify(name), (slug) => {
        const taken = owner.get(parentId, slug)
        return taken === undefined || taken === recordId
      })
    },
    take(parentId: number, slug: string, recordId: number): void {
      insert.run(parentId, slug, recordId)
    },
  }
}
