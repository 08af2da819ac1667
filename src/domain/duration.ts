import { trimWhiteSpace } from './text.ts'

export const MOST_MINUTES = 5_999_940

export type Duration = { minutes: number | null } | { fault: string }

/** Longer than any number that a person would write, and short enough to reckon with exactly. */
const LONGEST = 1_000

const MINUTES = /^\d+$/
const HOURS = /^(\d+)\.(\d+)$/
const CLOCK = /^(\d+):([0-5]\d)$/

const ARABIC_INDIC_ZERO = 0x0660
const EXTENDED_ZERO = 0x06f0

/**
 * contract: time. Three shapes of one duration: minutes (`90`), hours with a dot (`1.5`), and `H:MM` (`1:30`).
 * An empty text clears, as null.
 */
export function readDuration(text: string): Duration {
  const written = westernDigits(trimWhiteSpace(text))
  if (written === '') return { minutes: null }
  if (written.length > LONGEST) return { fault: `is longer than ${LONGEST} characters` }
  const minutes = exactMinutes(written)
  if (minutes === null) {
    return {
      fault: 'must be minutes ("90"), hours with a dot ("1.5") or hours and minutes ("1:30")',
    }
  }
  if (minutes === 0n) return { fault: 'can\'t be 0; send "" to clear it' }
  if (minutes > MOST_MINUTES) return { fault: `can't be more than ${MOST_MINUTES} minutes` }
  return { minutes: Number(minutes) }
}

/** In whole numbers throughout: 1.225 hours are 73.5 minutes and round up, which floating point gets wrong. */
function exactMinutes(written: string): bigint | null {
  if (MINUTES.test(written)) return BigInt(written)
  const clock = CLOCK.exec(written)
  if (clock) return BigInt(clock[1] as string) * 60n + BigInt(clock[2] as string)
  const hours = HOURS.exec(written)
  if (!hours) return null
  const [, whole = '', fraction = ''] = hours
  const unit = 10n ** BigInt(fraction.length)
  return (BigInt(whole + fraction) * 60n * 2n + unit) / (unit * 2n)
}

/** Arabic numbers have digits of their own, and a decimal sign of their own. */
function westernDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_INDIC_ZERO))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - EXTENDED_ZERO))
    .replace('\u066b', '.')
}
