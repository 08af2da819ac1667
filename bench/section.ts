import type { Pace } from './rounds.ts'
import type { Row } from './table.ts'

/** One table of the result. */
export interface Section {
  readonly name: string
  /** The names of its lines. */
  readonly lines: readonly string[]
  run(bench: Bench, isWanted: (line: string) => boolean): Promise<Outcome>
}

/** A section whose result is no table of requests a second. */
export interface Report {
  readonly name: string
  readonly lines: readonly string[]
  write(bench: Bench, isWanted: (line: string) => boolean): Promise<string>
}

export interface Bench {
  /** For whatever has to lie on the disk; it is removed at the end. */
  readonly folder: string
  readonly pace: Pace
  readonly largeListsAProject: number
}

export interface Outcome {
  /** What was measured, on how many tasks. */
  readonly title: string
  readonly sides: readonly [first: string, second: string]
  readonly rows: readonly Row[]
  /** What the ratio says. */
  readonly meaning: string
}
