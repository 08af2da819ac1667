interface Wish {
  readonly keyId: number
  readonly bytes: number
  begin(giveBack: () => void): void
}

export interface BodyBudget {
  /** Begins once there is room for so many bytes; what is given back makes room for the next. */
  take(keyId: number, bytes: number, begin: (giveBack: () => void) => void): void
}

/** Bounds what the large bodies of all requests hold in memory, and what those of one key do. */
export function bodyBudget(total: number, share: number): BodyBudget {
  const usedBy = new Map<number, number>()
  let used = 0
  let waiting: Wish[] = []

  function fits({ keyId, bytes }: Wish): boolean {
    const own = usedBy.get(keyId) ?? 0
    return (used === 0 || used + bytes <= total) && (own === 0 || own + bytes <= share)
  }

  function count(keyId: number, bytes: number): void {
    used += bytes
    const own = (usedBy.get(keyId) ?? 0) + bytes
    if (own === 0) usedBy.delete(keyId)
    else usedBy.set(keyId, own)
  }

  function serve(): void {
    for (let next = waiting.find(fits); next !== undefined; next = waiting.find(fits)) {
      const { keyId, bytes, begin } = next
      waiting = waiting.filter((wish) => wish !== next)
      count(keyId, bytes)
      begin(() => {
        count(keyId, -bytes)
        serve()
      })
    }
  }

  return {
    take(keyId, bytes, begin) {
      const wish = { keyId, bytes, begin }
      waiting.push(wish)
      serve()
    },
  }
}
