import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { COMMON, fillNames, RARE } from './names.ts'
import type { Report } from './section.ts'
import { type Seeded, seed } from './seed.ts'
import { type Server, startMajlis } from './servers.ts'
import { aligned, median } from './table.ts'

interface House {
  readonly seeded: Seeded
  readonly server: Server
}

const FEW = 20_000
const MANY = 1_000_000
const REQUESTS_A_ROUND = 200
const size = { projects: 1, listsAProject: 1, tasksAList: 1 }

const searches: readonly [line: string, q: string][] = [
  ['two letters of a common word', COMMON.slice(0, 2)],
  ['a rare word', RARE],
  ['two words', `${COMMON} تطوير`],
  ['a word in a fifth of all names', COMMON],
  ['the same with the article', `ال${COMMON}`],
  ['a common word and a rare one', `${COMMON} ${RARE}`],
  ['what nothing is called', 'قسطنطينية'],
]

/** A search must cost neither what other companies have nor what it matches. */
export const search: Report = {
  name: 'search',
  lines: searches.map(([line]) => line),
  async write({ folder, pace }, isWanted) {
    const few = await open(join(folder, 'few-names'), FEW)
    const many = await open(join(folder, 'many-names'), MANY)
    const rows: string[][] = []
    for (const [line, q] of searches.filter(([line]) => isWanted(line))) {
      const took: [few: number[], many: number[]] = [[], []]
      for (let round = 0; round < pace.rounds; round++) {
        took[0].push(...(await ask(few, q)))
        took[1].push(...(await ask(many, q)))
      }
      const [small, large] = [median(took[0]), median(took[1])]
      rows.push([line, small.toFixed(2), large.toFixed(2), (large / small).toFixed(2)])
    }
    const head = ['', `${FEW} ms`, `${MANY} ms`, 'ratio']
    return [
      `GET /search on ${FEW} names and on ${MANY}, of fifty companies; medians of ${pace.rounds * REQUESTS_A_ROUND} requests, in turns`,
      'ratio: the time on many names to that on few (aim: ≤ 3, and ≤ 5 ms)',
      aligned([head, ...rows]),
      '',
    ].join('\n')
  },
}

async function open(folder: string, names: number): Promise<House> {
  const seeded = await seed(folder, size)
  fillNames(seeded, names)
  return { seeded, server: await startMajlis(seeded) }
}

/** Milliseconds, one request after the other on one connection. */
async function ask({ seeded, server }: House, q: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const url = `${server.baseUrl}/search?q=${encodeURIComponent(q)}`
  const headers = { Authorization: `Bearer ${seeded.key}` }
  const took: number[] = []
  for (let i = 0; i < REQUESTS_A_ROUND; i++) {
    const startedAt = performance.now()
    const body = await new Promise<string>((resolve, reject) => {
      get(url, { agent, headers }, (response) => text(response).then(resolve, reject)).once(
        'error',
        reject,
      )
    })
    took.push(performance.now() - startedAt)
    if (!body.startsWith('{"data":')) throw new Error(`A search was refused: ${body}`)
  }
  agent.destroy()
  return took
}
