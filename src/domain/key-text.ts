import { crc32 } from 'node:zlib'

/** contract: Who calls 2. `svc_api_` + lookup id (10) + secret (32) + CRC32 (6), all base62. */
const PREFIX = 'svc_api_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = /^svc_api_([0-9A-Za-z]{10})([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

export interface MintedKey {
  text: string
  lookupId: string
  lastFour: string
}

/** `randomBelow(n)` answers an unpredictable integer from 0 to n - 1. */
export function mintKeyText(randomBelow: (limit: number) => number): MintedKey {
  const payload = Array.from({ length: 42 }, () => ALPHABET[randomBelow(62)]).join('')
  const text = PREFIX + payload + checksum(payload)
  return { text, lookupId: payload.slice(0, 10), lastFour: text.slice(-4) }
}

/** The lookup id of a well-formed key, or null: a wrong shape or checksum never reaches the database. */
export function readKeyText(text: string): string | null {
  const match = SHAPE.exec(text)
  if (!match) return null
  const [, lookupId, secret, sum] = match
  return checksum(`${lookupId}${secret}`) === sum ? (lookupId ?? null) : null
}

/** A key pasted into a path or a name must not reach a log or the audit trail. */
export function redactKeys(text: string): string {
  return text.includes('svc_') ? text.replace(/svc_[0-9A-Za-z_]+/g, 'svc_[redacted]') : text
}

function checksum(payload: string): string {
  let rest = crc32(payload)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
