import { Failure } from '../../domain/failure.ts'
import { type Reader, readerOf, readers } from '../../domain/name-reader.ts'
import { type NameKind, nameKinds, termsOf } from '../../domain/name-terms.ts'
import type { Db } from '../database.ts'
import { waitFor } from '../wait.ts'
import {
  type Generation,
  generations,
  inGeneration,
  joined,
  nameSources,
  rowOf,
} from './sources.ts'

interface NameRow {
  kind: NameKind
  /** Its number in the index, of the first generation. */
  row: number
  company: number
  name: string
}

/** A deleted project, and the rows of its names that are still in the index. */
export interface Departed {
  /** Gone once the project is restored or deleted again: then this is out of date. */
  readonly mark: number
  readonly rows: readonly number[]
}

export type DepartedNames = ReturnType<typeof departedNames>

/** Names a transaction, when a project comes back, and the milliseconds that others have in between. */
const SLICE = 200
const PAUSE = 25

/** In seconds: what has been coming back for longer was given up, and is cleared away after all. */
const LONGEST_RETURN = 600

/**
 * A deleted project is out of every search at once: its row says that it is deleted. But a search would walk over its
 * names to come to those of others. So they are taken out of the index afterwards, a slice a transaction, and put back
 * before the project is restored.
 */
export function departedNames(db: Db, known: readonly Reader[] = readers) {
  const next = db.prepare<[], { mark: number; projectId: number }>(`
    select id as mark, project_id as projectId from names_to_clear
    where returning_since is null or returning_since < unixepoch() - ${LONGEST_RETURN} limit 1`)
  const isMarked = db.prepare<[number]>('select 1 from names_to_clear where id = ?')
  const unmark = db.prepare<[number]>('delete from names_to_clear where id = ?')
  const markReturning = db.prepare<[number]>(`
    insert or replace into names_to_clear (project_id, returning_since) values (?, unixepoch())`)
  const keeping = db.prepare<[], { generation: Generation; rules: number }>(
    `select generation, rules from name_indexes where state in ('serving', 'building')`,
  )
  const put = db.prepare<[number, string]>(
    'insert or replace into names (rowid, terms) values (?, ?)',
  )
  const remove = db.prepare<[number]>('delete from names where rowid = ?')
  const within = nameKinds.map((kind) => {
    const { table, column } = nameSources[kind]
    const row = rowOf(kind, 'r.id', 0)
    const source = `from ${table} r ${joined(kind, 'join')} where p.id = ?`
    return {
      rows: db.prepare<[number], number>(`select ${row} ${source}`).pluck(),
      names: db.prepare<[number], NameRow>(`
        select '${kind}' as kind, ${row} as row, r.company_id as company, r.${column} as name
        ${source} ${kind === 'discussion' ? 'and r.deleted_at is null' : ''}`),
    }
  })

  function putAll(names: readonly NameRow[]): void {
    for (const { generation, rules } of keeping.all()) {
      const { read } = readerOf(known, rules)
      for (const { kind, row, company, name } of names) {
        put.run(inGeneration(generation, row), termsOf(company, kind, read(name)))
      }
    }
  }

  return {
    next(): Departed | null {
      const due = next.get()
      if (due === undefined) return null
      return { mark: due.mark, rows: within.flatMap(({ rows }) => rows.all(due.projectId)) }
    },

    isDue: (): boolean => next.get() !== undefined,

    /** Takes some of them out, and answers whether there is more to do: the project may be restored in between. */
    clear({ mark, rows }: Departed, from: number, to: number): boolean {
      if (isMarked.get(mark) === undefined) return false
      for (const row of rows.slice(from, to)) {
        for (const generation of generations) remove.run(inGeneration(generation, row))
      }
      if (to < rows.length) return true
      unmark.run(mark)
      return false
    },

    /**
     * Puts the names of a deleted project back, then restores it. Between two slices others may write; should one of
     * them begin a new index, the names are put into that one too.
     */
    bringBack<T>(projectId: number, restore: () => T): T {
      const inTransaction = <R>(work: () => R): R => db.transaction(work).immediate()
      const begin = () => ({
        mark: Number(markReturning.run(projectId).lastInsertRowid),
        indexes: JSON.stringify(keeping.all()),
        names: within.flatMap((each) => each.names.all(projectId)),
      })
      const goOn = (mark: number, names: readonly NameRow[]): void => {
        if (isMarked.get(mark) === undefined) {
          throw new Failure('Another command is restoring this project, or has restored it.')
        }
        putAll(names)
      }
      for (;;) {
        const { mark, indexes, names } = inTransaction(begin)
        const last = names.length - (names.length % SLICE)
        for (let from = 0; from < last; from += SLICE) {
          inTransaction(() => goOn(mark, names.slice(from, from + SLICE)))
          waitFor(PAUSE)
        }
        const restored = inTransaction(() => {
          goOn(mark, names.slice(last))
          return JSON.stringify(keeping.all()) === indexes ? { answer: restore() } : null
        })
        if (restored !== null) return restored.answer
      }
    },
  }
}
