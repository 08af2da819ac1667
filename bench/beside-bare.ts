import { join } from 'node:path'
import { type Case, cases } from './cases.ts'
import { withNumber } from './load.ts'
import { playRounds, type Side, sideOf } from './rounds.ts'
import type { Section } from './section.ts'
import { type Seeded, seed } from './seed.ts'
import { type Server, startBare, startMajlis } from './servers.ts'
import type { Row } from './table.ts'

/** Both work on one file. */
interface Pair {
  readonly seeded: Seeded
  readonly majlis: Server
  readonly bare: Server
}

interface Answer {
  readonly status: number
  readonly text: string
}

const size = { projects: 200, listsAProject: 1, tasksAList: 100 }
const MOST_COMPARED = 200

/** What the gates, the audit entry and the request log cost. */
export const besideBare: Section = {
  name: 'bare',
  lines: cases.map(({ name }) => name),
  async run({ folder, pace }, isWanted) {
    const seeded = await seed(join(folder, 'pair'), size)
    const pair = { seeded, majlis: await startMajlis(seeded), bare: await startBare(seeded) }
    const rows: Row[] = []
    for (const each of cases.filter(({ name }) => isWanted(name))) {
      await compareAnswers(pair, each)
      const side = (server: Server): Side => sideOf(server, seeded, each)
      const sides = [side(pair.majlis), side(pair.bare)] as const
      rows.push({ name: each.name, played: await playRounds(sides, pace, folder) })
    }
    return {
      title: `Majlis with all its gates beside a bare server, on ${seeded.tasks} tasks`,
      sides: ['majlis', 'bare'],
      rows,
      meaning: 'ratio: the share of the bare server’s requests a second that Majlis reaches',
    }
  },
}

/** The comparison is worth nothing unless both say the same. */
async function compareAnswers(pair: Pair, each: Case): Promise<void> {
  const paths = each.paths(pair.seeded).slice(0, MOST_COMPARED)
  if (each.method === 'GET') for (const path of paths) await compareReads(pair, each, path)
  else await compareWrites(pair, each, paths)
}

async function compareReads({ seeded, majlis, bare }: Pair, each: Case, path: string) {
  const ours = await ask(majlis, each, path, seeded.key)
  const theirs = await ask(bare, each, path, seeded.key)
  if (ours.status !== 200 || theirs.status !== 200 || ours.text !== theirs.text) {
    throw new Error(`${each.name}: the two servers answer ${path} differently`)
  }
}

/** What one has written the other cannot write again: they get a path each, and their answers look alike. */
async function compareWrites({ seeded, majlis, bare }: Pair, each: Case, paths: string[]) {
  const [first = '', second = ''] = paths
  const ours = shapeOf(await ask(majlis, each, first, seeded.key))
  const theirs = shapeOf(await ask(bare, each, second, seeded.key))
  if (ours !== theirs) throw new Error(`${each.name}: ${ours} and ${theirs} are not alike`)
}

async function ask(
  { baseUrl }: Server,
  { method, body }: Case,
  path: string,
  key: string,
): Promise<Answer> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: withNumber(body) }),
  })
  return { status: response.status, text: await response.text() }
}

function shapeOf({ status, text }: Answer): string {
  const { data } = JSON.parse(text) as { data?: object }
  if (status >= 400 || data === undefined) throw new Error(`A write was refused: ${text}`)
  return `${status} ${Object.keys(data).join(' ')}`
}
