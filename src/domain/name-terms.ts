import { hash } from 'node:crypto'
import type { Wanted } from './name-search.ts'
import type { Reading } from './name-words.ts'
import { exceeds } from './text.ts'

/** What has a name that is searched for, in the order in which hits are answered. */
export const nameKinds = ['project', 'task_list', 'task', 'folder', 'file', 'discussion'] as const

export type NameKind = (typeof nameKinds)[number]

/**
 * What a term of the index says of a name. One without articles is the same with and without them: `plainBeginning` is
 * for those, the other two beginnings for the rest.
 */
const facets = [
  'word',
  'longWord',
  'beginning',
  'bareBeginning',
  'plainBeginning',
  'whole',
  'sign',
] as const

type Facet = (typeof facets)[number]

/**
 * Every term begins with six characters that say whose name it is part of, of which kind, and what it says, so that
 * a search walks over nothing but the names of its company. The prefix indexes of schema.sql count on the six.
 */
const COMPANY_WIDTH = 4

/**
 * So many characters of a text make its first term. What follows makes further ones, each of so many more, which say by
 * a digest what they follow: so the index knows every word and every beginning to its end.
 */
const wordChunks = { first: 10, next: 7 } as const
const beginningChunks = { first: 40, next: 40 } as const

/**
 * For beginnings of up to so many characters the index knows the names in order, so that the newest are there at once.
 * Longer ones it has to gather from all that begin so.
 */
const IN_ORDER = 9

/** So many words, or signs, are asked for; should there be more, the names are compared with them. */
const MOST_WORDS = 128

/** The terms under which a name stands in the index, with spaces between them. */
export function termsOf(companyId: number, kind: NameKind, name: Reading): string {
  const scope = scopesOf(companyId, kind)
  const { text, key, bareKey } = name
  let terms = scope.whole + whole.text(text)
  const add = (facet: Facet, from: string): void => {
    for (const chunk of chunksOf(from, beginningChunks)) terms += scope[facet] + unseparated(chunk)
  }
  if (key === bareKey) {
    terms += scope.whole + whole.plain(key)
    add('plainBeginning', key)
  } else {
    terms += scope.whole + whole.words(key) + scope.whole + whole.bare(bareKey)
    add('beginning', key)
    add('bareBeginning', bareKey)
  }
  for (const word of name.spellings) {
    const [first = '', ...rest] = chunksOf(word, wordChunks)
    terms += scope.word + first
    for (const chunk of rest) terms += scope.longWord + chunk
  }
  for (const sign of name.signs) terms += scope.sign + unseparated(sign)
  return terms
}

/**
 * Ways to ask the index for the names of one kind, from the best of them to all. Each may find a few too many, and none
 * too few: what is found is to be ranked by its name.
 */
export interface Questions {
  identical(): string
  sameWords(): string
  sameButArticles(): string
  /** Quick where many of the names that begin nearly so begin just so. */
  nearBeginning(): string
  /** Quick where few names begin so. */
  beginning(): string
  anywhere(): string
}

/** For each company and kind. Nothing is worked out that is not asked for. */
export function questionsFor(wanted: Wanted): (companyId: number, kind: NameKind) => Questions {
  const { text, key, bareKey } = wanted
  const words = wanted.words.slice(0, MOST_WORDS)
  const signs = wanted.signs.slice(0, MOST_WORDS)

  return (companyId, kind) => {
    const scope = scopesOf(companyId, kind)
    const quoted = (facet: Facet, text: string): string => `"${scope[facet].trim()}${text}"`
    const word = (form: string): string => {
      if (exceeds(form, wordChunks.first))
        return `${quoted('longWord', lastChunk(form, wordChunks))}*`
      // A prefix of all that a term may have is the term.
      return quoted('word', form) + (exceeds(form, wordChunks.first - 1) ? '' : '*')
    }
    const begins = (part: (key: string) => string): string => {
      const [own, bare] = [unseparated(part(key)), unseparated(part(bareKey))]
      const plain = [...new Set([own, bare])].map((each) => quoted('plainBeginning', each))
      const others = [quoted('beginning', own), quoted('bareBeginning', bare)]
      return anyOf([...plain, ...others].map((term) => `${term}*`))
    }
    const wholes = (...digests: string[]): string =>
      anyOf(digests.map((each) => quoted('whole', each)))
    const withWords = (others: readonly string[]): string =>
      [...words.map(({ forms }) => anyOf(forms.map(word))), ...others].join(' AND ')

    return {
      identical: () => wholes(whole.text(text)),
      sameWords: () => wholes(whole.words(key), whole.plain(key)),
      sameButArticles: () => wholes(whole.bare(bareKey), whole.plain(bareKey)),
      nearBeginning: () => withWords([begins((each) => cut(each, IN_ORDER))]),
      beginning: () => begins((each) => lastChunk(each, beginningChunks)),
      anywhere: () => withWords(signs.map((sign) => quoted('sign', unseparated(sign)))),
    }
  }
}

function anyOf(terms: readonly string[]): string {
  return terms.length === 1 ? (terms[0] as string) : `(${terms.join(' OR ')})`
}

/** A whole name: with its signs; and as words, with and without articles, which may be the same. */
const whole = {
  text: (text: string): string => digest(`text ${text}`),
  words: (key: string): string => digest(`words ${key}`),
  bare: (bareKey: string): string => digest(`bare ${bareKey}`),
  plain: (key: string): string => digest(`plain ${key}`),
}

/** What the terms of a name begin with, with the space that parts them. */
function scopesOf(companyId: number, kind: NameKind): Readonly<Record<Facet, string>> {
  const company = companyId.toString(36).padStart(COMPANY_WIDTH, '0')
  const scope = (facet: Facet): string =>
    ` ${company}${nameKinds.indexOf(kind)}${facets.indexOf(facet)}`
  return Object.fromEntries(facets.map((facet) => [facet, scope(facet)])) as Record<Facet, string>
}

/** What the index takes for the end of a term: it does so for everything in ASCII that is no letter and no digit. */
const SEPARATING = /[\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/g
const FULL_WIDTH = 0xfee0

function unseparated(text: string): string {
  return text.replace(SEPARATING, (character) =>
    String.fromCharCode(character.charCodeAt(0) + FULL_WIDTH),
  )
}

interface Chunks {
  readonly first: number
  readonly next: number
}

function chunksOf(text: string, { first, next }: Chunks): string[] {
  if (!exceeds(text, first)) return [text]
  const characters = [...text]
  const chunks = [characters.slice(0, first).join('')]
  for (let from = first; from < characters.length; from += next) {
    const before = digest(characters.slice(0, from).join(''))
    chunks.push(before + characters.slice(from, from + next).join(''))
  }
  return chunks
}

function lastChunk(text: string, chunks: Chunks): string {
  return chunksOf(text, chunks).at(-1) as string
}

function cut(text: string, most: number): string {
  return exceeds(text, most) ? [...text.slice(0, 2 * most)].slice(0, most).join('') : text
}

/** A text of any length in two characters; two texts may share them, once in some two hundred million. */
function digest(text: string): string {
  const bytes = hash('sha1', text, 'buffer')
  const character = (at: number): string =>
    String.fromCharCode(0x4e00 + (bytes.readUInt16BE(at) & 0x3fff))
  return character(0) + character(2)
}
