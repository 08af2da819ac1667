import type { Db } from '../db/database.ts'
import { type Generation, generationOf, joined, nameSources, rowOf } from '../db/names/sources.ts'
import { isIndexDamage } from '../db/open.ts'
import { newestOf, readers } from '../domain/name-reader.ts'
import { wantedIn } from '../domain/name-search.ts'
import { type NameKind, nameKinds, questionsFor } from '../domain/name-terms.ts'
import { type Finding, listed } from './findings.ts'

const check = 'search index'
const AGAIN = 'majlis search reindex builds it anew'

/** Every name stands in the index under what it says, and nothing else stands there. */
export function checkNames(db: Db): Finding {
  try {
    // In one transaction: a rebuild may put another index in the place of this one at any time.
    return db.transaction(() => look(db)).deferred()
  } catch (error) {
    if (isIndexDamage(error)) {
      return { check, ok: false, detail: `its pages are damaged; ${AGAIN}` }
    }
    // What is damaged may be more than the index; the check of integrity says what.
    return { check, ok: false, detail: `cannot be looked at: ${(error as Error).message}` }
  }
}

function look(db: Db): Finding {
  const serving = db
    .prepare<[], { generation: Generation; rules: number }>(
      `select generation, rules from name_indexes where state = 'serving'`,
    )
    .get()
  if (serving === undefined) return { check, ok: false, detail: `is lost: ${AGAIN}` }
  if (newestOf(readers).version !== serving.rules) {
    const detail = 'was built by older rules, and will be built anew by the server'
    return { check, ok: true, detail }
  }
  const wrong = nameKinds.flatMap((kind) => wrongOf(db, serving.generation, kind))
  const strays = straysIn(db, serving.generation)
  const found = listed(check, 'every name is found by it', [...wrong, ...strays])
  return found.ok ? found : { ...found, detail: `${found.detail}; ${AGAIN}` }
}

function wrongOf(db: Db, generation: Generation, kind: NameKind): string[] {
  const { table, column, isLive } = nameSources[kind]
  const reader = newestOf(readers)
  const isThere = db.prepare<[string, number]>(
    // A number that JavaScript binds is no integer to FTS5, which would leave it out of account.
    'select 1 from names where names match ? and rowid = cast(? as integer)',
  )
  const rows = db
    .prepare<[], { row: number; id: number; company: number; name: string }>(
      `select ${rowOf(kind, 'r.id', generation)} as row, r.id, r.company_id as company, r.${column} as name
       from ${table} r ${joined(kind, 'join')} where ${isLive}`,
    )
    .iterate()
  const wrong: string[] = []
  for (const { row, id, company, name } of rows) {
    const wanted = wantedIn(reader.read(name))
    const question = wanted && questionsFor(wanted)(company, kind).identical()
    if (question !== null && isThere.get(question, row) === undefined)
      wrong.push(`${table} row ${id}`)
  }
  return wrong
}

function straysIn(db: Db, generation: Generation): string[] {
  const known = nameKinds
    .map((kind) => `select ${rowOf(kind, 'id', generation)} from ${nameSources[kind].table}`)
    .join(' union all ')
  return db
    .prepare<[], string>(`
      select 'index row ' || id from names_docsize
      where ${generationOf('id')} = ${generation} and id not in (${known})`)
    .pluck()
    .all()
}
