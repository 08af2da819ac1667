import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Case, cases } from './cases.ts'
import { hasWrk, type Measure, measure, writeScript } from './load.ts'
import { type Seeded, seed } from './seed.ts'
import { buildMajlis, endChildren, type Server, startBare, startMajlis } from './servers.ts'

/** Majlis with all its gates, and a bare server beside it, in turns: only their ratio means something. */
interface Pair {
  readonly majlis: Server
  readonly bare: Server
}

interface Round {
  readonly majlis: Measure
  readonly bare: Measure
}

const WARM_UP_SECONDS = 1

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '7' },
  },
})

if (hasWrk()) {
  await main(Number(flags.seconds), Number(flags.rounds))
} else {
  process.stderr.write('The benchmark needs wrk: apt-get install wrk\n')
  process.exitCode = 1
}

async function main(seconds: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'majlis-bench-'))
  process.once('exit', () => {
    endChildren()
    rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

  buildMajlis()
  const seeded = await seed(folder)
  const pair = { majlis: await startMajlis(seeded), bare: await startBare(seeded) }
  const table: Record<string, string | number>[] = []
  for (const [index, each] of cases.entries()) {
    const paths = each.paths(seeded)
    await compareBodies(pair, paths, seeded)
    const script = writeScript(folder, `case-${index}`, paths, seeded.key)
    table.push(row(each, await play(pair, script, seconds, rounds)))
  }
  console.log(`20,000 tasks, wrk -t1 -c16, median of ${rounds} interleaved rounds of ${seconds} s`)
  console.table(table)
  process.exit()
}

/** The comparison is worth nothing unless both say the same. */
async function compareBodies({ majlis, bare }: Pair, paths: string[], { key }: Seeded) {
  const headers = { Authorization: `Bearer ${key}` }
  for (const path of paths) {
    const [ours, theirs] = await Promise.all(
      [majlis, bare].map(async ({ baseUrl }) => {
        const response = await fetch(baseUrl + path, { headers })
        if (response.status !== 200) throw new Error(`${baseUrl}${path}: ${response.status}`)
        return response.text()
      }),
    )
    if (ours !== theirs) throw new Error(`The two servers answer ${path} differently`)
  }
}

async function play(pair: Pair, script: string, seconds: number, rounds: number): Promise<Round[]> {
  await playRound(pair, script, WARM_UP_SECONDS)
  const played: Round[] = []
  for (let i = 0; i < rounds; i++) played.push(await playRound(pair, script, seconds))
  return played
}

async function playRound({ majlis, bare }: Pair, script: string, seconds: number): Promise<Round> {
  return {
    majlis: await measure(majlis, { seconds, script }),
    bare: await measure(bare, { seconds, script }),
  }
}

function row({ name }: Case, rounds: Round[]) {
  const middle = (pick: (round: Round) => number): number => median(rounds.map(pick))
  return {
    case: name,
    'majlis /s': Math.round(middle(({ majlis }) => majlis.perSecond)),
    'bare /s': Math.round(middle(({ bare }) => bare.perSecond)),
    ratio: middle(({ majlis, bare }) => majlis.perSecond / bare.perSecond).toFixed(2),
    'majlis µs CPU': middle(({ majlis }) => majlis.microseconds).toFixed(1),
    'bare µs CPU': middle(({ bare }) => bare.microseconds).toFixed(1),
  }
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2
}
