import { subscriberOf } from '../domain/ip.ts'
import { secondsUntil } from '../domain/quota-clock.ts'
import type { Gate } from '../http/call.ts'
import { throttled } from '../http/errors.ts'

const MINUTE = 60_000

/** Memory stays bounded under a flood of addresses or invented keys: past this, the oldest counter is forgotten. */
const MOST_COUNTERS = 100_000

/** contract: Order of checks. Windows are whole minutes of the clock; a limit of 0 turns the gate off. */
export function burstPerIp(limit: number): Gate {
  const count = windowCounter(limit)
  return (call) => count(subscriberOf(call.head.ip), call.now)
}

/** Per text sent as a key, right or wrong. Texts are counted by their digest, so that none is kept. */
export function burstPerKey(limit: number): Gate {
  const count = windowCounter(limit)
  return (call) => {
    if (call.keyText !== null) count(call.keyDigest, call.now)
  }
}

function windowCounter(limit: number): (who: string, now: number) => void {
  const counters = new Map<string, { calls: number }>()
  let window = 0

  return (who, now) => {
    if (limit === 0) return
    const current = Math.floor(now / MINUTE)
    if (current !== window) {
      window = current
      counters.clear()
    }
    let counter = counters.get(who)
    if (counter === undefined) {
      if (counters.size >= MOST_COUNTERS) forgetOldest(counters)
      counter = { calls: 0 }
      counters.set(who, counter)
    }
    counter.calls++
    if (counter.calls > limit) throw throttled(limit, secondsUntil((window + 1) * MINUTE, now))
  }
}

function forgetOldest(counters: Map<string, unknown>): void {
  for (const who of counters.keys()) {
    counters.delete(who)
    return
  }
}
