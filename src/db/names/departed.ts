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
  readonly projectId: number
  readonly rows: readonly number[]
}

export type DepartedNames = ReturnType<typeof departedNames>

/** Names a transaction, when a project comes back, and the milliseconds that others have in between. */
const SLICE = 200
const PAUSE = 25

/**
 * A deleted project is out of every search at once: its row says that it is deleted. But a search would walk over its
 * names to come to those of others. So they are taken out of the index afterwards, a slice a transaction, and put back
 * before the project is restored.
 */
export function departedNames(db: Db, known: readonly Reader[] = readers) {
  const next = db.prepare<[], number | null>('select min(project_id) from names_to_clear').pluck()
  const isMarked = db.prepare<[number]>('select 1 from names_to_clear where project_id = ?')
  const unmark = db.prepare<[number]>('delete from names_to_clear where project_id = ?')
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
        ${source}`),
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
      const projectId = next.get() ?? null
      if (projectId === null) return null
      return { projectId, rows: within.flatMap(({ rows }) => rows.all(projectId)) }
    },

    isDue: (): boolean => next.get() !== null,

    /** Takes some of them out, and answers whether there is more to do: the project may be restored in between. */
    clear({ projectId, rows }: Departed, from: number, to: number): boolean {
      if (isMarked.get(projectId) === undefined) return false
      for (const row of rows.slice(from, to)) {
        for (const generation of generations) remove.run(inGeneration(generation, row))
      }
      if (to < rows.length) return true
      unmark.run(projectId)
      return false
    },

    /**
     * Puts the names of a deleted project back, then restores it. Between two slices others may write; should one of
     * them begin a new index, the names are put into that one too.
     */
    bringBack<T>(projectId: number, restore: () => T): T {
      const names = within.flatMap((each) => each.names.all(projectId))
      const last = names.length - (names.length % SLICE)
      const inTransaction = <R>(work: () => R): R => db.transaction(work).immediate()
      const begin = (): string => {
        unmark.run(projectId)
        return JSON.stringify(keeping.all())
      }
      const end = (begun: string): { answer: T } | null => {
        if (JSON.stringify(keeping.all()) !== begun) return null
        putAll(names.slice(last))
        return { answer: restore() }
      }
      for (;;) {
        const begun = inTransaction(begin)
        for (let from = 0; from < last; from += SLICE) {
          inTransaction(() => putAll(names.slice(from, from + SLICE)))
          waitFor(PAUSE)
        }
        const ended = inTransaction(() => end(begun))
        if (ended !== null) return ended.answer
      }
    },
  }
}
