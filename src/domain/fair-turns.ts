/** One piece of work at a time. Who brings many waits behind the next one of everybody else. */
export function fairTurns(): <T>(lane: unknown, work: () => Promise<T>) => Promise<T> {
  // A map keeps the order of entry: a lane that has had its turn enters again at the end.
  const lanes = new Map<unknown, (() => void)[]>()
  let isBusy = false

  function next(): void {
    const [first] = lanes
    if (first === undefined) {
      isBusy = false
      return
    }
    const [lane, [begin, ...others]] = first
    lanes.delete(lane)
    if (others.length > 0) lanes.set(lane, others)
    begin?.()
  }

  return async (lane, work) => {
    if (isBusy) {
      await new Promise<void>((begin) => lanes.set(lane, [...(lanes.get(lane) ?? []), begin]))
    }
    isBusy = true
    try {
      return await work()
    } finally {
      next()
    }
  }
}
