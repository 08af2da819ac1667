import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { besideBare } from './beside-bare.ts'
import { calendar } from './calendar.ts'
import { deep } from './deep.ts'
import { growth } from './growth.ts'
import { hasWrk } from './load.ts'
import type { Pace } from './rounds.ts'
import { search } from './search.ts'
import type { Bench, Outcome, Report, Section } from './section.ts'
import { buildMajlis, endChildren } from './servers.ts'
import { table } from './table.ts'
import { uploads } from './uploads.ts'

const sections: readonly (Section | Report)[] = [
  besideBare,
  growth,
  deep,
  calendar,
  search,
  uploads,
]

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
    large: { type: 'string', default: '50' },
  },
})
const [seconds, rounds, large] = [flags.seconds, flags.rounds, flags.large].map(Number) as [
  number,
  number,
  number,
]
const wanted = sections.filter((section) => namesOf(section).some(matches))

if (![seconds, rounds, large].every((each) => Number.isInteger(each) && each > 0)) {
  refuse('--seconds, --rounds and --large (task lists a project) take whole numbers from 1')
} else if (wanted.length === 0) {
  refuse(`--only takes a word of these: ${[...new Set(sections.flatMap(namesOf))].join(', ')}`)
} else if (!hasWrk()) {
  refuse('The benchmark needs wrk: apt-get install wrk')
} else await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'majlis-bench-'))
  process.once('exit', () => {
    endChildren()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

  buildMajlis()
  const bench: Bench = { folder, pace: { rounds, seconds }, largeListsAProject: large }
  for (const section of wanted) {
    const isWhole = matches(section.name)
    const isWanted = (line: string): boolean => isWhole || matches(line)
    if ('write' in section) console.log(await section.write(bench, isWanted))
    else show(await section.run(bench, isWanted), bench.pace)
    endChildren()
  }
  process.exit()
}

function show({ title, sides, rows, meaning }: Outcome, { rounds, seconds }: Pace): void {
  const how = `${rounds} rounds of ${seconds} s a side, in turns; medians`
  console.log([`${title}; ${how}`, meaning, table(sides, rows), ''].join('\n'))
}

function matches(name: string): boolean {
  return name.toLowerCase().includes(flags.only.toLowerCase())
}

function namesOf({ name, lines }: Section | Report): string[] {
  return [name, ...lines]
}

function refuse(reason: string): void {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
