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

interface Search {
  readonly questions: Questions
  readonly most: number
  /** The records that may match, the newest first. */
  ask(question: string, limit: number): Iterable<number>
  /** Null for what is deleted. */
  read(id: number): HitRow | null
  rank(row: HitRow): Rank | null
}

/** Where no more names than these may match, one question is enough: the best of them are picked here. */
const FEW = 20
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

  return {
    find(companyId: number, text: string, kinds: readonly NameKind[], each: number): Found {
      const { generation, rules } = serving.get() as { generation: Generation; rules: number }
      const reader = readerOf(known, rules)
      const wanted = wantedIn(reader.read(text))
      const hits: HitRow[] = []
      const truncated: NameKind[] = []
      if (wanted === null) return { hits, truncated }
      const questionsOf = questionsFor(wanted)
      const rank = ({ name }: HitRow): Rank | null => rankOf(wanted, reader.read(name))
      for (const kind of nameKinds.filter((kind) => kinds.includes(kind))) {
        const best = bestOf({
          questions: questionsOf(companyId, kind),
          most: each + 1,
          ask: (question, limit) => ask.iterate(question, generation, limit),
          read: (id) => rows[kind].get(id, companyId) ?? null,
          rank,
        })
        if (best.length > each) truncated.push(kind)
        hits.push(...best.slice(0, each))
      }
      return { hits, truncated }
    },
  }
}

function bestOf(search: Search): HitRow[] {
  const enough = Math.max(FEW, search.most)
  const ids = [...search.ask(search.questions.anywhere(), enough + 1)]
  return ids.length > enough ? layerByLayer(search) : byRank(search, ids)
}

function byRank({ most, read, rank }: Search, ids: readonly number[]): HitRow[] {
  return ids
    .flatMap((id) => {
      const row = read(id)
      const itsRank = row && rank(row)
      return row === null || itsRank === null ? [] : [{ row, rank: itsRank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ row }) => row)
}

/** However many names match, no more of them are looked at than are answered: the best are asked for first. */
function layerByLayer({ questions, most, ask, read, rank }: Search): HitRow[] {
  const best = new Map<number, HitRow>()
  const layers: readonly [question: () => string, worst: Rank][] = [
    [questions.same, ranks.same],
    [questions.sameButArticles, ranks.sameButArticles],
    [questions.beginning, ranks.beginning],
    [questions.anywhere, ranks.elsewhere],
  ]
  for (const [question, worst] of layers) {
    if (best.size === most) break
    for (const id of ask(question(), NO_LIMIT)) {
      const row = best.has(id) ? null : read(id)
      const itsRank = row && rank(row)
      if (row === null || itsRank === null || itsRank > worst) continue
      best.set(id, row)
      if (best.size === most) break
    }
  }
  return [...best.values()]
}
