import { Failure } from '../../domain/failure.ts'
import { newestOf, type Reader, readers } from '../../domain/name-reader.ts'
import { type NameKind, nameKinds, termsOf } from '../../domain/name-terms.ts'
import type { Db } from '../database.ts'
import { type Generation, generationOf, joined, nameSources, rowOf } from './sources.ts'

/** How far a walk over all names has come: the kind, and the last record of that kind. */
interface Place {
  readonly kind: number
  readonly through: number
}

interface IndexRow extends Place {
  readonly generation: Generation
  readonly state: 'serving' | 'building' | 'leaving' | 'empty'
  readonly rules: number
  /** How many names were read for it. */
  readonly built: number
}

interface NameRow {
  row: number
  id: number
  company: number
  name: string
}

export interface Progress {
  /** What is being done; `clearing` is what comes once the new index answers. */
  readonly phase: 'reading' | 'clearing' | 'done'
  /** How many names have been read. */
  readonly names: number
  /** Of the phase, from 0 to 1. */
  readonly share: number
}

export type NameRebuild = ReturnType<typeof nameRebuild>

const START: Place = { kind: 0, through: 0 }

/**
 * Builds the index anew beside the one that answers, a slice a transaction, puts it in that one's place, and clears the
 * old one away. How far it is stands in the database: whoever comes next goes on from there, in this process or another.
 */
export function nameRebuild(db: Db, known: readonly Reader[] = readers) {
  const newest = newestOf(known)
  const columns = 'generation, state, rules, kind, through, built'
  const inState = db.prepare<[string], IndexRow>(
    `select ${columns} from name_indexes where state = ?`,
  )
  const beside = db.prepare<[Generation], IndexRow>(
    `select ${columns} from name_indexes where generation <> ?`,
  )
  const set = db.prepare<IndexRow>(`
    insert or replace into name_indexes (${columns})
    values (@generation, @state, @rules, @kind, @through, @built)`)
  const put = db.prepare<[number, string]>(
    'insert or replace into names (rowid, terms) values (?, ?)',
  )
  const remove = db.prepare<[number]>('delete from names where rowid = ?')
  const wipe = db.prepare(`insert into names (names) values ('delete-all')`)
  const rowsAfter = db
    .prepare<[number, Generation, number], number>(`
      select id from names_docsize where id > ? and ${generationOf('id')} = ? order by id limit ?`)
    .pluck()
  const lastRow = db.prepare<[], number | null>('select max(id) from names_docsize').pluck()
  const sources = nameKinds.map((kind) => {
    const { table, column, isLive } = nameSources[kind]
    return {
      kind,
      after: db.prepare<[Generation, number, number], NameRow>(`
        select ${rowOf(kind, 'r.id', '?')} as row, r.id, r.company_id as company, r.${column} as name
        from ${table} r ${joined(kind, 'cross join')}
        where r.id > ? and ${isLive} order by r.id limit ?`),
      last: db.prepare<[], number | null>(`select max(id) from ${table}`).pluck(),
    }
  })

  /** Should its row be lost, it is as good as never built. */
  function serving(): IndexRow {
    return inState.get('serving') ?? emptyOne(0, 'serving')
  }

  function besideServing(): IndexRow {
    const { generation } = serving()
    return beside.get(generation) ?? emptyOne(generation === 0 ? 1 : 0, 'empty')
  }

  /** Whether the index that answers was built by other rules, or a walk was not ended. */
  function isDue(): boolean {
    return besideServing().state !== 'empty' || serving().rules !== newest.version
  }

  /** Begins what must be begun for that to be over. */
  function resume(): void {
    if (besideServing().state === 'building' || serving().rules !== newest.version) begin()
  }

  /** Begins, where nothing is being built by these rules already. What an older one left is overwritten. */
  function begin(): void {
    const { generation, state, rules } = besideServing()
    if (state === 'building' && rules === newest.version) return
    set.run(serving())
    set.run({ generation, state: 'building', rules: newest.version, ...START, built: 0 })
  }

  /** For an index that is damaged: nothing of it is kept, and until it is built anew nothing old is found. */
  function startOver(): void {
    wipe.run()
    set.run(emptyOne(0, 'serving'))
    set.run({ ...emptyOne(1, 'building'), rules: newest.version })
  }

  /** Goes on by so many names. */
  function goOn(atMost: number): Progress {
    const index = inState.get('building')
    if (index !== undefined) return read(index, atMost)
    const old = inState.get('leaving')
    if (old !== undefined) return clear(old, atMost)
    return { phase: 'done', names: serving().built, share: 1 }
  }

  function read(index: IndexRow, atMost: number): Progress {
    if (index.rules !== newest.version) {
      throw new Failure(
        'The search index is being built by another version of Majlis: stop that one, then try again.',
      )
    }
    const { visited, ...place } = walk(index, atMost, (kind, { row, company, name }) => {
      put.run(row, termsOf(company, kind, newest.read(name)))
    })
    const built = index.built + visited
    if (place.kind < sources.length) {
      set.run({ ...index, ...place, built })
      return { phase: 'reading', names: built, share: shareOf(place) }
    }
    set.run({ ...serving(), state: 'leaving', ...START })
    set.run({ ...index, state: 'serving', ...START, built })
    return { phase: 'clearing', names: built, share: 0 }
  }

  function clear(old: IndexRow, atMost: number): Progress {
    const rows = rowsAfter.all(old.through, old.generation, atMost)
    for (const row of rows) remove.run(row)
    const names = serving().built
    if (rows.length === atMost) {
      const through = rows.at(-1) as number
      set.run({ ...old, through })
      return { phase: 'clearing', names, share: through / (lastRow.get() ?? through) }
    }
    set.run(emptyOne(old.generation, 'empty'))
    return { phase: 'done', names, share: 1 }
  }

  function walk(from: IndexRow, atMost: number, visit: (kind: NameKind, row: NameRow) => void) {
    let { kind, through } = from
    let visited = 0
    for (let source = sources[kind]; source && visited < atMost; source = sources[kind]) {
      const wanted = atMost - visited
      const rows = source.after.all(from.generation, through, wanted)
      for (const row of rows) visit(source.kind, row)
      visited += rows.length
      if (rows.length === wanted) through = (rows.at(-1) as NameRow).id
      else [kind, through] = [kind + 1, 0]
    }
    return { kind, through, visited }
  }

  function shareOf({ kind, through }: Place): number {
    const lasts = sources.map(({ last }) => last.get() ?? 0)
    const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
    return (sum(lasts.slice(0, kind)) + through) / Math.max(1, sum(lasts))
  }

  return { isDue, resume, begin, startOver, goOn }
}

function emptyOne(generation: Generation, state: IndexRow['state']): IndexRow {
  return { generation, state, rules: 0, ...START, built: 0 }
}
