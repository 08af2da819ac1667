import type { ApiKey } from '../domain/account.ts'
import { atMost } from '../domain/at-most.ts'
import { readKeyText } from '../domain/key-text.ts'
import type { Secret } from '../resources/account/store.ts'

/** A proven text: the secret it belongs to, and that secret's key as of the last change to the database. */
interface Entry {
  readonly secretId: number
  current: CurrentKey | null
  generation: number
}

interface CurrentKey {
  readonly key: ApiKey
  readonly endsAt: number
}

const MOST_REMEMBERED = 10_000
/** argon2 shares libuv's threads with the disk: more than a few at once would make every read wait. */
const MOST_VERIFICATIONS = 2

export interface KeyringPorts {
  secretByLookupId(lookupId: string): Secret | undefined
  secretById(id: number): Secret | undefined
  verifyDigest(digest: string, text: string): Promise<boolean>
}

export type Keyring = ReturnType<typeof createKeyring>

/**
 * contract: Who calls 2. argon2 runs once a key and process: what it has proved is remembered by the SHA-256 of the
 * text. `forget` makes every entry look its key up again, so that a revocation by another process takes hold.
 */
export function createKeyring(ports: KeyringPorts) {
  const proven = new Map<string, Entry>()
  const refused = new Map<string, true>()
  const underway = new Map<string, Promise<ApiKey | null>>()
  const runLimited = atMost(MOST_VERIFICATIONS)
  const usedAt = new Map<number, number>()
  let generation = 0

  function recall(digest: string, now: number): ApiKey | null {
    const entry = proven.get(digest)
    if (entry === undefined) return null
    if (entry.generation !== generation) {
      entry.current = currentKey(ports.secretById(entry.secretId))
      entry.generation = generation
    }
    if (entry.current === null || now >= entry.current.endsAt) return null
    usedAt.set(entry.current.key.id, now)
    return entry.current.key
  }

  function verify(text: string, digest: string, now: number): Promise<ApiKey | null> {
    if (proven.has(digest) || refused.has(digest)) return REFUSAL
    const lookupId = readKeyText(text)
    if (lookupId === null) return REFUSAL
    const running = underway.get(digest)
    if (running) return running
    const started = prove(lookupId, text, digest, now).finally(() => underway.delete(digest))
    underway.set(digest, started)
    return started
  }

  async function prove(lookupId: string, text: string, digest: string, now: number) {
    const secret = ports.secretByLookupId(lookupId)
    if (secret === undefined) return null
    if (!(await runLimited(() => ports.verifyDigest(secret.digest, text)))) {
      remember(refused, digest, true)
      return null
    }
    remember(proven, digest, { secretId: secret.id, current: null, generation: -1 })
    return recall(digest, now)
  }

  return {
    recall,
    verify,
    forget(): void {
      generation++
    },
    hasUses: () => usedAt.size > 0,
    /** When each key was last used, since this was last asked. */
    takeUses(): [keyId: number, at: number][] {
      const uses = [...usedAt]
      usedAt.clear()
      return uses
    },
  }
}

const REFUSAL = Promise.resolve(null)

function currentKey(secret: Secret | undefined): CurrentKey | null {
  if (secret === undefined || secret.revoked) return null
  return { key: secret.key, endsAt: secret.endsAt ?? Number.POSITIVE_INFINITY }
}

function remember<V>(map: Map<string, V>, digest: string, value: V): void {
  if (map.size >= MOST_REMEMBERED) {
    const oldest = map.keys().next()
    if (!oldest.done) map.delete(oldest.value)
  }
  map.set(digest, value)
}
