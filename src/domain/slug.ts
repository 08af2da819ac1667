import { refPrefixes } from './handle.ts'

const NOT_LETTER_OR_DIGIT = /[^\p{L}\p{N}]+/gu
const RESERVED = new Set<string>(Object.values(refPrefixes))

/** contract: Handles. Never begins like a ref, not even once `-2` is put behind it. */
export function slugify(name: string): string {
  const slug = name
    .normalize('NFC')
    // In lower case this one letter would become two, and the second a mark.
    .replaceAll('İ', 'i')
    .toLowerCase()
    .replace(NOT_LETTER_OR_DIGIT, '-')
    .replace(/^-|-$/g, '')
  if (slug === '') return 'item'
  return RESERVED.has(`${slug}-`.slice(0, 4)) ? `item-${slug}` : slug
}

const TRIED_IN_ORDER = 16

/**
 * The first of `base`, `base-2`, `base-3`… that is free. After sixteen in order the search gallops, so the ten
 * thousandth task of one title costs some thirty look-ups and not ten thousand.
 */
export function firstFreeSlug(base: string, isFree: (slug: string) => boolean): string {
  if (isFree(base)) return base
  const numbered = (n: number): string => `${base}-${n}`
  for (let n = 2; n <= TRIED_IN_ORDER; n++) {
    if (isFree(numbered(n))) return numbered(n)
  }
  let taken = TRIED_IN_ORDER
  let free = taken * 2
  while (!isFree(numbered(free))) {
    taken = free
    free *= 2
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (isFree(numbered(middle))) free = middle
    else taken = middle
  }
  return numbered(free)
}
