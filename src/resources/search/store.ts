import type { Statement } from 'better-sqlite3'
import type { Db } from '../../db/database.ts'
import { type Generation, generationOf, recordOf } from '../../db/names/sources.ts'
import { type Reader, readerOf, readers } from '../../domain/name-reader.ts'
import { type Rank, rankOf, ranks, wantedIn } from '../../domain/name-search.ts'
import { type NameKind, nameKinds, type Questions, questionsFor } from '../../domain/name-terms.ts'
import { type HitRow, hitById } from './sources.ts'

export interface Found {
  /** By kind in the order of the catalogue, the best of each first. */
  readonly hits: readonly HitRow[]
  /** The kinds of which there are more. */
  readonly truncated: readonly NameKind[]
}

type Find = (companyId: number, text: string, kinds: readonly NameKind[], each: number) => Found

interface Search {
  readonly questions: Questions
  readonly most: number
  /** Whether only signs are wanted, which have no place in a name. */
  readonly isSigns: boolean
  /** The records that may match, the newest first. */
  ask(question: string, limit: number): Iterable<number>
  /** Null for what is deleted, or does not match after all. */
  ranked(id: number): Ranked | null
}

interface Ranked {
  readonly row: HitRow
  readonly rank: Rank
}

/** Where no more names than these may match, one question is enough: the best of them are picked here. */
const FEW = 20
/** So many names are looked at in the hope that they begin as wanted, before those are asked for that surely do. */
const LOOKS = 200
const ALL = Number.POSITIVE_INFINITY
const NO_LIMIT = -1

/** Search by name. The index says which names may match, newest first; the names say which do, and how well. */
export function searchStore(db: Db, known: readonly Reader[] = readers) {
  const serving = db.prepare<[], { generation: Generation; rules: number }>(
    `select generation, rules from name_indexes where state = 'serving'`,
  )
  const ask = db
    .prepare<[question: string, generation: Generation, limit: number], number>(`
      select ${recordOf('rowid')} from names
      where names match ? and ${generationOf('rowid')} = ? order by rowid desc limit ?`)
    .pluck()
  const rows = Object.fromEntries(
    nameKinds.map((kind) => [kind, db.prepare(hitById(kind))]),
  ) as Record<NameKind, Statement<[id: number, companyId: number], HitRow>>

  /** In one transaction: another process may put a new index in the place of this one at any time. */
  const find: Find = db.transaction((companyId, text, kinds, each) => {
    const { generation, rules } = serving.get() ?? { generation: 0, rules: 0 }
    const reader = readerOf(known, rules)
    const wanted = wantedIn(reader.read(text))
    const hits: HitRow[] = []
    const truncated: NameKind[] = []
    if (wanted === null) return { hits, truncated }
    const questionsOf = questionsFor(wanted)
    const ranked = (row: HitRow | undefined): Ranked | null => {
      const rank = row === undefined ? null : rankOf(wanted, reader.read(row.name))
      return row === undefined || rank === null ? null : { row, rank }
    }
    for (const kind of nameKinds.filter((kind) => kinds.includes(kind))) {
      const best = bestOf({
        questions: questionsOf(companyId, kind),
        most: each + 1,
        isSigns: wanted.words.length === 0,
        ask: (question, limit) => ask.iterate(question, generation, limit),
        ranked: (id) => ranked(rows[kind].get(id, companyId)),
      })
      if (best.length > each) truncated.push(kind)
      hits.push(...best.slice(0, each))
    }
    return { hits, truncated }
  })

  return { find }
}

function bestOf(search: Search): HitRow[] {
  const enough = Math.max(FEW, search.most)
  const ids = [...search.ask(search.questions.anywhere(), enough + 1)]
  return ids.length > enough ? layerByLayer(search) : byRank(search, ids)
}

function byRank({ most, ranked }: Search, ids: readonly number[]): HitRow[] {
  return ids
    .map(ranked)
    .filter((found) => found !== null)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ row }) => row)
}

/** However many names match, no more of them are looked at than are answered, or few more: the best are asked for first. */
function layerByLayer({ questions, most, isSigns, ask, ranked }: Search): HitRow[] {
  const best = new Map<number, HitRow>()
  const looked = new Map<number, Ranked | null>()

  function look(id: number): Ranked | null {
    const known = looked.get(id)
    if (known !== undefined) return known
    const found = ranked(id)
    looked.set(id, found)
    return found
  }

  /** Answers whether all that there are, or all that are wanted, were found. */
  function gather(question: string, worst: Rank, looks: number): boolean {
    let left = looks
    for (const id of ask(question, NO_LIMIT)) {
      if (left-- === 0) return false
      const found = look(id)
      if (found === null || found.rank > worst) continue
      best.set(id, found.row)
      if (best.size === most) return true
    }
    return true
  }

  gather(questions.identical(), ranks.identical, ALL)
  if (!isSigns) {
    if (best.size < most) gather(questions.sameWords(), ranks.sameWords, ALL)
    if (best.size < most) gather(questions.sameButArticles(), ranks.sameButArticles, ALL)
    const isEnough = best.size === most || gather(questions.nearBeginning(), ranks.beginning, LOOKS)
    if (!isEnough) gather(questions.beginning(), ranks.beginning, ALL)
  }
  if (best.size < most) gather(questions.anywhere(), ranks.elsewhere, ALL)
  return [...best.values()]
}
