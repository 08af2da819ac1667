/** Runs what it is handed one piece a turn of the event loop, so that all else gets its turn in between. */
export function oneATurn(): (work: () => void) => void {
  const waiting: (() => void)[] = []

  function next(): void {
    const work = waiting.shift()
    if (waiting.length > 0) setImmediate(next)
    work?.()
  }

  return (work) => {
    if (waiting.push(work) === 1) setImmediate(next)
  }
}
