import { foldLetters, tidy } from './folding.ts'
import { exceeds, NAME_LIMIT } from './text.ts'

/** A word as it is searched for: folded, and in every form in which it is the same word. */
export interface Word {
  readonly folded: string
  /** Less the article, where it has one. */
  readonly bare: string
  /** These two, and others such as the email of e-mail. */
  readonly forms: readonly string[]
}

/** What there is to find, or to find by, in a text. */
export interface Reading {
  readonly words: readonly Word[]
  /** All under which a name is found: its words in all their forms, عبد الله as عبدالله, Sana'a as sana and a. */
  readonly spellings: ReadonlySet<string>
  /** The whole text, signs and all. */
  readonly text: string
  /** The whole text as words, one way of spelling names of two words; `bareKey` is the same without articles. */
  readonly key: string
  readonly bareKey: string
  /** Punctuation and other signs, each once. */
  readonly signs: readonly string[]
}

/**
 * Reads the words of a text. Letters, digits and marks make words, a symbol such as an emoji is a word of its own, and
 * everything else stands between them.
 */
export function readWords(text: string): Reading {
  const tidied = tidy(text).replace(THOUSANDS, (number) => number.replaceAll(GROUPING, ''))
  const pieces: string[] = []
  const words: Word[] = []
  const spellings = new Set<string>()
  for (const compound of withoutLoneArticles(tidied.match(COMPOUND) ?? [])) {
    const joined = JOINT.test(compound) ? joinedForm(compound) : null
    for (const piece of compound.split(BOUNDARY)) {
      const written = piece.replaceAll(APOSTROPHE, '')
      const word = joined === null ? wordOf(written) : withForm(wordOf(written), joined)
      if (word.folded === '') continue
      pieces.push(written)
      words.push(word)
      if (written !== piece) addAll(spellings, piece.split(APOSTROPHE))
    }
  }
  const named = joinNames(pieces)
  for (const name of named) addAll(spellings, partsOf(name))
  const parts = named.length === pieces.length ? words : named.map(wordOf)
  for (const word of [...words, ...parts]) for (const form of word.forms) spellings.add(form)
  return {
    words,
    spellings,
    key: parts.map(({ folded }) => folded).join(' '),
    bareKey: parts.map(({ bare }) => bare).join(' '),
    text: foldLetters(tidied).replace(SPACES, ' ').trim(),
    signs: SIGN.test(tidied) ? [...new Set(foldLetters(tidied).match(SIGNS))] : [],
  }
}

const LETTER = '[\\p{L}\\p{N}\\p{M}]'
const COMPOUND = new RegExp(`${LETTER}+(?:['’‘\`‐-]${LETTER}+)*|\\p{RI}{2}|\\p{So}`, 'gu')
const JOINT = /['’‘`‐-]/
const JOINTS = new RegExp(JOINT, 'g')
/** A hyphen; and the place between a year and its era, as in ١٤٤٧هـ. */
const BOUNDARY = /[‐-]|(?=[هھہةم]$)(?<=^\p{Nd}+)/u
const APOSTROPHE = /['’‘`]/g
const SIGN = /[^\s\p{Cc}\p{L}\p{N}\p{M}\p{So}]/u
const SIGNS = new RegExp(SIGN, 'gu')
const SPACES = /[\s\p{Cc}]+/gu
const THOUSANDS = /(?<!\p{Nd})\p{Nd}{1,3}(?:[,٬]\p{Nd}{3})+(?!\p{Nd})/gu
const GROUPING = /[,٬]/g

/**
 * The article, alone or behind و ف ب ك, or after ل as لل. It is bare alef: أل begins another word. Behind a letter it
 * wants three more, so that والد and بالون stay whole; الله is a name and no word with an article.
 */
const ARTICLE = /^(?:[اٱ]ل(?!له$)(?=..)|لل(?=..)|[وفبك][اٱ]ل(?!له$)(?=...))/u

/** ل before a word that itself begins with ل: للغة is ل and اللغة. */
const DOUBLE_LAM = /^لل(?=..)/u

/** An article that stands alone before Latin letters or digits is nothing by itself: الـ CRM. */
function withoutLoneArticles(compounds: readonly string[]): readonly string[] {
  if (!compounds.includes('ال')) return compounds
  return compounds.filter((compound, at) => {
    const next = compounds[at + 1]
    return compound !== 'ال' || next === undefined || !/^[\p{Script=Latin}\p{N}]/u.test(next)
  })
}

/** Null for what is longer than any name. */
function joinedForm(compound: string): string | null {
  const joined = compound.replaceAll(JOINTS, '')
  return exceeds(joined, NAME_LIMIT) ? null : foldLetters(joined)
}

function wordOf(tidied: string): Word {
  const folded = foldLetters(tidied)
  const stem = tidied.replace(ARTICLE, '')
  if (stem.length === tidied.length) return { folded, bare: folded, forms: [folded] }
  const bare = foldLetters(stem) || folded
  const forms = DOUBLE_LAM.test(tidied) ? [folded, bare, folded.slice(1)] : [folded, bare]
  return { folded, bare, forms }
}

function withForm(word: Word, form: string): Word {
  return { ...word, forms: [...word.forms, form] }
}

function addAll(spellings: Set<string>, pieces: readonly string[]): void {
  for (const piece of pieces) {
    for (const form of wordOf(piece).forms) if (form !== '') spellings.add(form)
  }
}

const FIRST = /^(?:عبد|ذو|ذ[يى]|[أا]بو)$/u
const FATHER = /^[أا]بو$/u
const FAITH = /^[اٱ]لدين$/u

/** Names of two words are as often written as one: عبد الله, أبو ظبي, ذو الحجة, نور الدين. They become one word. */
function joinNames(pieces: readonly string[]): readonly string[] {
  const isName = pieces.some((piece) => FIRST.test(piece) || FAITH.test(piece))
  if (!isName) return pieces
  const joined: string[] = []
  for (const piece of pieces.toReversed()) {
    const after = joined.at(-1)
    if (after !== undefined && goesWith(piece, after)) joined[joined.length - 1] = piece + after
    else joined.push(piece)
  }
  return joined.reverse()
}

function goesWith(first: string, second: string): boolean {
  if (FATHER.test(first)) return /^\p{Script=Arabic}/u.test(second)
  if (FIRST.test(first)) return /^(?:[اٱ](?:ل|$)|ربه$)/u.test(second)
  return FAITH.test(second) && /^\p{Script=Arabic}{2}/u.test(first)
}

const NAME_OF_TWO = /^(?:(?:عبد|ذو|ذ[يى])(?=[اٱ]ل..|ربه$)|[أا]بو(?=\p{Script=Arabic}{3}))(.+)$/u
const NAME_OF_FAITH = /^(.{2,})([اٱ]لدين)$/u

/** The words of a name that is written as one: of أبوعبدالله also عبدالله and الله. */
function partsOf(name: string): string[] {
  const faith = NAME_OF_FAITH.exec(name)
  if (faith !== null) return faith.slice(1)
  const second = NAME_OF_TWO.exec(name)?.[1]
  if (second === undefined) return []
  const third = NAME_OF_TWO.exec(second)?.[1]
  return third === undefined ? [second] : [second, third]
}
