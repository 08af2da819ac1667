/** Runs so many pieces of work at a time; the others wait their turn. */
export function atMost(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []

  return async (work) => {
    if (running >= limit) await new Promise<void>((resume) => waiting.push(resume))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
