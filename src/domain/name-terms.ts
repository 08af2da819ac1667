import { hash } from 'node:crypto'
import type { Wanted } from './name-search.ts'
import type { Reading } from './name-words.ts'

/** What has a name that is searched for, in the order in which hits are answered. */
export const nameKinds = ['project', 'task_list', 'task', 'folder', 'file', 'discussion'] as const

export type NameKind = (typeof nameKinds)[number]

/** What a term of the index says of a name. */
const facets = ['word', 'beginning', 'same', 'sameButArticles', 'sign'] as const

type Facet = (typeof facets)[number]

/**
 * Every term begins with six characters that say whose name it is part of, of which kind, and what it says, so that
 * a search walks over nothing but the names of its company. The prefix indexes of schema.sql count on the six.
 */
const COMPANY_WIDTH = 5

/**
 * So many characters of a word, and of a name's beginning, are in the index. For all that is shorter the index knows
 * the names in order; what is longer is compared with the names themselves.
 */
const longest = { word: 10, beginning: 6 } as const

/** Enough to find by: the names that have these are few, and are compared with all the words. */
const MOST_WORDS = 16

/** The terms under which a name stands in the index, with spaces between them. */
export function termsOf(companyId: number, kind: NameKind, name: Reading): string {
  const scope = scopesOf(companyId, kind)
  const { key, bareKey } = name
  let terms = scope.same + digest(key) + scope.beginning + beginningOf(key)
  if (bareKey !== key) {
    terms += scope.sameButArticles + digest(bareKey) + scope.beginning + beginningOf(bareKey)
  }
  for (const word of name.spellings) terms += scope.word + cut(word, longest.word)
  for (const sign of name.signs) terms += scope.sign + unseparated(sign)
  return terms
}

/**
 * Ways to ask the index for the names of one kind, from the best of them to all. Each may find a few too many, and none
 * too few: what is found is to be ranked by its name.
 */
export interface Questions {
  anywhere(): string
  same(): string
  sameButArticles(): string
  beginning(): string
}

/** For each company and kind; what does not depend on them is worked out once, and nothing that is not asked for. */
export function questionsFor(wanted: Wanted): (companyId: number, kind: NameKind) => Questions {
  const { key, bareKey, signs } = wanted
  const words = wanted.words.slice(0, MOST_WORDS)
  const beginnings = [...new Set([key, bareKey])]
  const same = once(() => digest(key))
  const sameButArticles = once(() => (key === bareKey ? same() : digest(bareKey)))

  return (companyId, kind) => {
    const scope = scopesOf(companyId, kind)
    const quoted = (facet: Facet, text: string): string => `"${scope[facet].trim()}${text}"`
    const begins = (facet: keyof typeof longest, texts: readonly string[]): string =>
      anyOf(
        texts.map((text) => {
          const most = longest[facet]
          return quoted(facet, unseparated(cut(text, most))) + (isShort(text, most) ? '*' : '')
        }),
      )
    const withWords = (others: readonly string[]): string =>
      [...words.map(({ forms }) => begins('word', forms)), ...others].join(' AND ')

    return {
      anywhere: () => withWords(signs.map((sign) => quoted('sign', unseparated(sign)))),
      same: () => quoted('same', same()),
      sameButArticles: () =>
        anyOf([quoted('same', sameButArticles()), quoted('sameButArticles', sameButArticles())]),
      beginning() {
        const beginning = begins('beginning', beginnings)
        // The whole of a short beginning is in the index. Many may share the first letters of a long one.
        const isWhole = beginnings.every((text) => isShort(text, longest.beginning))
        return isWhole ? beginning : withWords([beginning])
      },
    }
  }
}

function anyOf(terms: readonly string[]): string {
  return terms.length === 1 ? (terms[0] as string) : `(${terms.join(' OR ')})`
}

function once<T>(work: () => T): () => T {
  let done: { value: T } | null = null
  return () => {
    done ??= { value: work() }
    return done.value
  }
}

/** What the terms of a name begin with, with the space that parts them. */
function scopesOf(companyId: number, kind: NameKind): Readonly<Record<Facet, string>> {
  const company = companyId.toString(36).padStart(COMPANY_WIDTH, '0')
  const first = nameKinds.indexOf(kind) * facets.length
  const scope = (at: number): string => ` ${company}${(first + at).toString(36)}`
  return {
    word: scope(0),
    beginning: scope(1),
    same: scope(2),
    sameButArticles: scope(3),
    sign: scope(4),
  }
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
  return unseparated(cut(key, longest.beginning))
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join('')
}

/** Whether more may follow in the index: then it is asked for as a beginning. */
function isShort(text: string, most: number): boolean {
  return text.length < most || [...text].length < most
}

/** A text of any length in two characters; two texts may share them, once in some two hundred million. */
function digest(text: string): string {
  const bytes = hash('sha1', text, 'buffer')
  const character = (at: number): string =>
    String.fromCharCode(0x4e00 + (bytes.readUInt16BE(at) & 0x3fff))
  return character(0) + character(2)
}
