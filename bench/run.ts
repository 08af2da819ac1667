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

const WARM_UP = 1
const columns = ['', 'majlis/s', 'bare/s', 'ratio', 'majlis CPU µs', 'bare CPU µs']

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '7' },
  },
})
const [seconds, rounds] = [Number(flags.seconds), Number(flags.rounds)]

if (!(Number.isInteger(seconds) && seconds > 0 && Number.isInteger(rounds) && rounds > 0)) {
  process.stderr.write('--seconds and --rounds take whole numbers from 1\n')
  process.exitCode = 1
} else if (!hasWrk()) {
  process.stderr.write('The benchmark needs wrk: apt-get install wrk\n')
  process.exitCode = 1
} else await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'majlis-bench-'))
  process.once('exit', () => {
    endChildren()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

  buildMajlis()
  const seeded = await seed(folder)
  const pair = { majlis: await startMajlis(seeded), bare: await startBare(seeded) }
  const table = [columns]
  for (const [index, each] of cases.entries()) {
    const paths = each.paths(seeded)
    await compareBodies(pair, paths, seeded)
    const script = writeScript(folder, `case-${index}`, paths, seeded.key)
    table.push(row(each, await play(pair, script)))
  }
  console.log(`${seeded.tasks} tasks; ${rounds} rounds of ${seconds} s a server, in turns; medians`)
  console.log(aligned(table))
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

async function play(pair: Pair, script: string): Promise<Round[]> {
  await playRound(pair, script, WARM_UP)
  const played: Round[] = []
  for (let i = 0; i < rounds; i++) played.push(await playRound(pair, script, seconds))
  return played
}

async function playRound({ majlis, bare }: Pair, script: string, duration: number): Promise<Round> {
  return {
    majlis: await measure(majlis, script, duration),
    bare: await measure(bare, script, duration),
  }
}

function row({ name }: Case, played: Round[]): string[] {
  const middle = (pick: (round: Round) => number): number => median(played.map(pick))
  return [
    name,
    middle(({ majlis }) => majlis.perSecond).toFixed(0),
    middle(({ bare }) => bare.perSecond).toFixed(0),
    middle(({ majlis, bare }) => majlis.perSecond / bare.perSecond).toFixed(2),
    middle(({ majlis }) => majlis.microseconds).toFixed(1),
    middle(({ bare }) => bare.microseconds).toFixed(1),
  ]
}

function aligned(table: string[][]): string {
  const widths = columns.map((_, i) => Math.max(...table.map((cells) => cells[i]?.length ?? 0)))
  const line = ([first = '', ...others]: string[]): string =>
    [
      first.padEnd(widths[0] ?? 0),
      ...others.map((cell, i) => cell.padStart(widths[i + 1] ?? 0)),
    ].join('  ')
  return table.map(line).join('\n')
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2
}
