/** Time is injected: nothing else in the house asks the machine what time it is. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
