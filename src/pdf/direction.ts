export type Direction = 'ltr' | 'rtl'

/**
 * The direction of a text by its first strong letter (Unicode Bidirectional Algorithm, P2 and P3), or null where it has
 * none: numbers, punctuation and emoji say nothing, so that what stands around them decides. Isolates are passed over.
 */
export function directionOf(text: string): Direction | null {
  let isolates = 0
  for (const [mark] of text.matchAll(strongOrIsolate)) {
    if (isIsolate.test(mark)) isolates += 1
    else if (mark === '\u2069') isolates = Math.max(0, isolates - 1)
    else if (isolates === 0) return rightToLeft.test(mark) ? 'rtl' : 'ltr'
  }
  return null
}

const isIsolate = /[\u2066-\u2068]/u

/** The blocks of Hebrew, Arabic and their neighbours, and the two marks that are strong without being seen. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** ECMAScript does not know bidirectional classes: letters, and the punctuation of right-to-left scripts, come near. */
const strongOrIsolate =
  /[\p{L}\p{Nl}\u05be\u05c0\u05c3\u05c6\u061b-\u061f\u066d\u06d4\u0700-\u070d\u200e\u200f\u2066-\u2069]/gu
