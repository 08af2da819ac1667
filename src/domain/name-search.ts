import type { Reading, Word } from './name-words.ts'

/** How well a name answers, best first: the order of the hits. */
export const ranks = {
  identical: 0,
  sameWords: 1,
  sameButArticles: 2,
  beginning: 3,
  elsewhere: 4,
} as const

export type Rank = (typeof ranks)[keyof typeof ranks]

/** What is searched for. A text without any word is searched for by its signs. */
export interface Wanted {
  readonly text: string
  readonly words: readonly Word[]
  readonly key: string
  readonly bareKey: string
  readonly signs: readonly string[]
}

/** More words than any name has. */
const TOO_MANY = 400

/** Null for a text with nothing in it to search for, or with more than a name can hold. */
export function wantedIn({ text, words, key, bareKey, signs }: Reading): Wanted | null {
  if (words.length === 0) return signs.length === 0 ? null : { text, words, key, bareKey, signs }
  const needed = withoutImplied(words)
  return needed.length >= TOO_MANY ? null : { text, words: needed, key, bareKey, signs: [] }
}

/** Null where a word is missing: each must be, with or without its article, the beginning of some word of the name. */
export function rankOf(wanted: Wanted, name: Reading): Rank | null {
  if (wanted.words.length === 0) {
    if (!wanted.signs.every((sign) => name.signs.includes(sign))) return null
    return name.text === wanted.text ? ranks.identical : ranks.elsewhere
  }
  const spellings = [...name.spellings]
  const isThere = ({ forms }: Word): boolean =>
    spellings.some((spelling) => forms.some((form) => spelling.startsWith(form)))
  if (!wanted.words.every(isThere)) return null
  if (name.text === wanted.text) return ranks.identical
  if (name.key === wanted.key) return ranks.sameWords
  if (name.bareKey === wanted.bareKey) return ranks.sameButArticles
  const isBeginning = name.key.startsWith(wanted.key) || name.bareKey.startsWith(wanted.bareKey)
  return isBeginning ? ranks.beginning : ranks.elsewhere
}

/** A word that another begins with is found wherever that one is: `a ab abc` asks for abc. The longest come first. */
function withoutImplied(words: readonly Word[]): Word[] {
  const kept: Word[] = []
  const implies = (word: Word, other: Word): boolean =>
    other.forms.every((form) => word.forms.some((beginning) => form.startsWith(beginning)))
  for (const word of [...words].sort((a, b) => b.folded.length - a.folded.length)) {
    if (kept.length === TOO_MANY) break
    if (!kept.some((other) => implies(word, other))) kept.push(word)
  }
  return kept
}
