import type { RefKind } from '../domain/handle.ts'
import { firstFreeSlug, slugify } from '../domain/slug.ts'
import type { Db } from './database.ts'

interface SlugTable {
  /** The records that have these slugs. */
  records: string
  table: string
  parent: string
  record: string
}

export const slugTables = {
  project: {
    records: 'projects',
    table: 'project_slugs',
    parent: 'company_id',
    record: 'project_id',
  },
  list: {
    records: 'task_lists',
    table: 'task_list_slugs',
    parent: 'project_id',
    record: 'list_id',
  },
  task: { records: 'tasks', table: 'task_slugs', parent: 'list_id', record: 'task_id' },
  discussion: {
    records: 'discussions',
    table: 'discussion_slugs',
    parent: 'project_id',
    record: 'discussion_id',
  },
} satisfies Partial<Record<RefKind, SlugTable>>

/** The slugs of one kind of record. A retired slug stays in the table, so it goes on resolving and stays taken. */
export function slugs(db: Db, kind: keyof typeof slugTables) {
  const { table, parent, record } = slugTables[kind]
  const owner = db
    .prepare<[number, string], number>(
      `select ${record} from ${table} where ${parent} = ? and slug = ?`,
    )
    .pluck()
  const insert = db.prepare<[number, string, number]>(`
    insert into ${table} (${parent}, slug, ${record}) values (?, ?, ?)
    on conflict (${parent}, slug) do nothing`)
  const ofRecord = db
    .prepare<[number], string>(`select slug from ${table} where ${record} = ?`)
    .pluck()
  const drop = db.prepare<[number]>(`delete from ${table} where ${record} = ?`)

  /** A slug for a record that is about to be made. */
  function fresh(parentId: number, name: string): string {
    return firstFreeSlug(slugify(name), (slug) => owner.get(parentId, slug) === undefined)
  }

  function take(parentId: number, slug: string, recordId: number): void {
    insert.run(parentId, slug, recordId)
  }

  return {
    fresh,
    take,

    /** A slug for a record under a new name: one of its own, live or retired, is free to it. */
    renamed(parentId: number, name: string, recordId: number): string {
      return firstFreeSlug(slugify(name), (slug) => {
        const taken = owner.get(parentId, slug)
        return taken === undefined || taken === recordId
      })
    },

    /** Leaves the old parent for good; retired slugs come along where the new parent has them free. */
    moved(parentId: number, name: string, record: { id: number; slug: string }): string {
      const retired = ofRecord.all(record.id).filter((slug) => slug !== record.slug)
      drop.run(record.id)
      const slug = fresh(parentId, name)
      for (const each of [slug, ...retired]) take(parentId, each, record.id)
      return slug
    },
  }
}
