import { setTimeout } from 'node:timers/promises'
import type { Case } from './cases.ts'
import { type Measure, measure, type Workload } from './load.ts'
import type { Seeded } from './seed.ts'
import type { Server } from './servers.ts'

export interface Pace {
  readonly rounds: number
  readonly seconds: number
}

export interface Side {
  readonly server: Server
  /** Asked before each run: what one run has written may change what the next can ask for. */
  workload(): Workload
}

/** Two that are measured in turns, never at once: only their ratio means something. */
export type Sides = readonly [first: Side, second: Side]

export type Round = readonly [first: Measure, second: Measure]

const WARM_UP = 1
/** What wrk left under way, and the day's calls that Majlis writes half a second later, are no part of the next run. */
const SETTLE = 600

export function sideOf(server: Server, seeded: Seeded, each: Case): Side {
  return {
    server,
    workload: () => ({ ...each, key: seeded.key, paths: each.paths(seeded) }),
  }
}

export async function playRounds(
  sides: Sides,
  { rounds, seconds }: Pace,
  folder: string,
): Promise<Round[]> {
  await playRound(sides, { folder, seconds: WARM_UP })
  const played: Round[] = []
  for (let i = 0; i < rounds; i++) played.push(await playRound(sides, { folder, seconds }))
  return played
}

async function playRound(
  [first, second]: Sides,
  how: { folder: string; seconds: number },
): Promise<Round> {
  return [await playOne(first, how), await playOne(second, how)]
}

async function playOne(
  { server, workload }: Side,
  how: { folder: string; seconds: number },
): Promise<Measure> {
  await setTimeout(SETTLE)
  return measure(server, workload(), how)
}
