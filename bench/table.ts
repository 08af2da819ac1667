import type { Measure } from './load.ts'
import type { Round } from './rounds.ts'

export interface Row {
  readonly name: string
  readonly played: readonly Round[]
}

/** `names` are those of the two sides; the ratio is the first's requests a second to the second's. */
export function table([first, second]: readonly [string, string], rows: readonly Row[]): string {
  const head = ['', `${first}/s`, `${second}/s`, 'ratio', `${first} CPU µs`, `${second} CPU µs`]
  return aligned([head, ...rows.map(cellsOf)])
}

function cellsOf({ name, played }: Row): string[] {
  const middle = (pick: (first: Measure, second: Measure) => number): number =>
    median(played.map(([first, second]) => pick(first, second)))
  return [
    name,
    middle((first) => first.perSecond).toFixed(0),
    middle((_, second) => second.perSecond).toFixed(0),
    middle((first, second) => first.perSecond / second.perSecond).toFixed(2),
    middle((first) => first.microseconds).toFixed(1),
    middle((_, second) => second.microseconds).toFixed(1),
  ]
}

export function aligned(cells: readonly string[][]): string {
  const widths = cells[0]?.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0))) ?? []
  const line = ([first = '', ...others]: string[]): string =>
    [
      first.padEnd(widths[0] ?? 0),
      ...others.map((cell, i) => cell.padStart(widths[i + 1] ?? 0)),
    ].join('  ')
  return cells.map(line).join('\n')
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2
}
