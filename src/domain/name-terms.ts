import { hash } from 'node:crypto'
import type { Wanted } from './name-search.ts'
import type { Reading } from './name-words.ts'

/** What has a name that is searched for, in the order in which hits are answered. */
export const nameKinds = ['project', 'task_list', 'task', 'folder', 'file', 'discussion'] as const

export type NameKind = (typeof nameKinds)[number]

/** What a term of the index says of a name. */
const facets = ['word', 'longWord', 'beginning', 'whole', 'sign'] as const

type Facet = (typeof facets)[number]

/**
 * Every term begins with six characters that say whose name it is part of, of which kind, and what it says, so that
 * a search walks over nothing but the names of its company. The prefix indexes of schema.sql count on the six.
 */
const COMPANY_WIDTH = 5

/**
 * A word has a term of its first ten characters; a longer one has another that says by a digest which ten it follows.
 * What comes behind that, and behind the fortieth character of a beginning, is compared with the names themselves.
 */
const LONGEST_WORD = 10
const REST_OF_WORD = 7
const LONGEST_BEGINNING = 40

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
  let terms = scope.whole + whole.words(key) + scope.beginning + beginningOf(key)
  if (text !== key) terms += scope.whole + whole.text(text)
  if (bareKey !== key) {
    terms += scope.whole + whole.bare(bareKey) + scope.beginning + beginningOf(bareKey)
  }
  for (const word of name.spellings) {
    terms += scope.word + cut(word, LONGEST_WORD)
    if (lengthOf(word) > LONGEST_WORD) terms += scope.longWord + restOf(word)
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
  const beginnings = [...new Set([key, bareKey])]

  return (companyId, kind) => {
    const scope = scopesOf(companyId, kind)
    const quoted = (facet: Facet, text: string): string => `"${scope[facet].trim()}${text}"`
    const word = (form: string): string => {
      const length = lengthOf(form)
      if (length > LONGEST_WORD) return `${quoted('longWord', restOf(form))}*`
      return length === LONGEST_WORD ? quoted('word', form) : `${quoted('word', form)}*`
    }
    const begins = (most: number): string =>
      anyOf(beginnings.map((text) => `${quoted('beginning', unseparated(cut(text, most)))}*`))
    const withWords = (others: readonly string[]): string =>
      [...words.map(({ forms }) => anyOf(forms.map(word))), ...others].join(' AND ')

    return {
      identical: () => quoted('whole', text === key ? whole.words(key) : whole.text(text)),
      sameWords: () => quoted('whole', whole.words(key)),
      sameButArticles: () =>
        anyOf([quoted('whole', whole.words(bareKey)), quoted('whole', whole.bare(bareKey))]),
      nearBeginning: () => withWords([begins(IN_ORDER)]),
      beginning: () => begins(LONGEST_BEGINNING),
      anywhere: () => withWords(signs.map((sign) => quoted('sign', unseparated(sign)))),
    }
  }
}

function anyOf(terms: readonly string[]): string {
  return terms.length === 1 ? (terms[0] as string) : `(${terms.join(' OR ')})`
}

/** A whole name, in three senses: with its signs, where it has any; as words; and as words without their articles. */
const whole = {
  text: (text: string): string => digest(`text ${text}`),
  words: (key: string): string => digest(`words ${key}`),
  bare: (bareKey: string): string => digest(`bare ${bareKey}`),
}

/** What the terms of a name begin with, with the space that parts them. */
function scopesOf(companyId: number, kind: NameKind): Readonly<Record<Facet, string>> {
  const company = companyId.toString(36).padStart(COMPANY_WIDTH, '0')
  const first = nameKinds.indexOf(kind) * facets.length
  const scope = (facet: Facet): string =>
    ` ${company}${(first + facets.indexOf(facet)).toString(36)}`
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

function beginningOf(key: string): string {
  return unseparated(cut(key, LONGEST_BEGINNING))
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join('')
}

/** Of a word that is longer than its first term: which it follows, and what comes next. */
function restOf(word: string): string {
  const first = cut(word, LONGEST_WORD)
  return digest(first) + cut(word.slice(first.length), REST_OF_WORD)
}

function lengthOf(text: string): number {
  return [...text].length
}

/** A text of any length in two characters; two texts may share them, once in some two hundred million. */
function digest(text: string): string {
  const bytes = hash('sha1', text, 'buffer')
  const character = (at: number): string =>
    String.fromCharCode(0x4e00 + (bytes.readUInt16BE(at) & 0x3fff))
  return character(0) + character(2)
}
