import type { Gate } from '../http/call.ts'
import { unauthorized } from '../http/errors.ts'
import { writes } from '../http/route.ts'
import type { Keyring } from './keyring.ts'

/** A key that this process has verified before is found in the same turn; only a new one waits for argon2. */
export function authenticate(keyring: Keyring): Gate {
  return (call) => {
    if (call.keyText === null) throw unauthorized()
    const known = keyring.recall(call.keyDigest, call.now)
    if (known) {
      call.key = known
      return
    }
    return keyring.verify(call.keyText, call.keyDigest, call.now).then((key) => {
      if (key === null) throw unauthorized()
      call.key = key
    })
  }
}

/** A body may take minutes to arrive: whoever was revoked or frozen meanwhile does not write any more. */
export function stillValid(keyring: Keyring, now: () => number): Gate {
  return (call) => {
    if (!writes(call.target)) return
    const key = keyring.recall(call.keyDigest, now())
    if (key === null) throw unauthorized()
    call.key = key
  }
}
