/** contract: Handles. A ref is a prefix and ten characters of Crockford's base32, lower case. */
export const refPrefixes = {
  project: 'prj-',
  list: 'lst-',
  task: 'tsk-',
  discussion: 'mjl-',
  file: 'fil-',
} as const

export type RefKind = keyof typeof refPrefixes

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LOOKS_LIKE_REF = /^(?:prj|lst|tsk|mjl|fil)-/
const NUMBER = /^(?:0|[1-9][0-9]{0,15})$/

/** Unpredictable numbers from 0 to limit - 1. */
export type RandomBelow = (limit: number) => number

export function mintRef(kind: RefKind, randomBelow: RandomBelow): string {
  let ref: string = refPrefixes[kind]
  for (let i = 0; i < 10; i++) ref += ALPHABET[randomBelow(32)]
  return ref
}

/** Whatever begins with one of the five prefixes is read as a ref and nothing else. */
export function looksLikeRef(handle: string): boolean {
  return LOOKS_LIKE_REF.test(handle)
}

export function isRefOf(kind: RefKind, handle: string): boolean {
  return handle.startsWith(refPrefixes[kind])
}

/** A numeric id, or null for what is no number or lies past 2^53. */
export function readNumericId(segment: string): number | null {
  if (!NUMBER.test(segment)) return null
  const id = Number(segment)
  return Number.isSafeInteger(id) ? id : null
}
