export interface Chance {
  /** A whole number from 0, less than `limit`. */
  below(limit: number): number
  onceIn(times: number): boolean
  /** One of them; undefined of none. */
  pick<T>(from: readonly T[]): T | undefined
}

/** Choices that come again with the same seed (mulberry32). */
export function chance(seed: number): Chance {
  let state = seed >>> 0

  function below(limit: number): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  return {
    below,
    onceIn: (times) => below(times) === 0,
    pick: (from) => from[below(from.length)],
  }
}
