import type { Clock } from '../clock.ts'

interface Span {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

/** A clock that stands still until the test moves it. */
export interface SandboxClock extends Clock {
  set(time: Date | string | number): void
  advance(span: Span): void
}

export function sandboxClock(start: Date | string | number): SandboxClock {
  let now = milliseconds(start)
  return {
    now: () => now,
    set(time) {
      now = milliseconds(time)
    },
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
      now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
    },
  }
}

function milliseconds(time: Date | string | number): number {
  const value = typeof time === 'number' ? time : new Date(time).getTime()
  if (!Number.isFinite(value)) throw new TypeError(`${String(time)} is no time`)
  return value
}
