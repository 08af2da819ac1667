import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Rank, rankOf, ranks, wantedIn } from '../../src/domain/name-search.ts'
import { readWords } from '../../src/domain/name-words.ts'
import { pairs } from './name-pairs.ts'

for (const [query, name, isFound] of pairs) {
  test(`${shown(query)} ${isFound ? 'finds' : 'does not find'} ${shown(name)}`, () => {
    assert.equal(search(query, name) !== null, isFound)
  })
}

test('the pairs are many, differ, and a good part of them are not found', () => {
  assert.ok(pairs.length >= 150, `${pairs.length} pairs`)
  assert.ok(pairs.filter(([, , isFound]) => !isFound).length >= 40)
  const differing = new Set(pairs.map(([query, name]) => JSON.stringify([query, name])))
  assert.equal(differing.size, pairs.length)
})

test('every name is found by itself, and is then identical', () => {
  for (const [, name] of pairs) assert.equal(search(name, name), ranks.identical, shown(name))
})

test('the ranks are in the order of the hits', () => {
  const { identical, sameWords, sameButArticles, beginning, elsewhere } = ranks
  const best = [identical, sameWords, sameButArticles, beginning, elsewhere]
  assert.deepEqual(
    best,
    best.toSorted((a, b) => a - b),
  )
})

const ranked: readonly [query: string, name: string, rank: keyof typeof ranks][] = [
  ['مدرسة', 'مدرسة', 'identical'],
  ['مدرسه', 'مَدْرَسَة', 'identical'],
  ['مدرسة', 'المدرسة', 'sameButArticles'],
  ['المدرسة', 'مدرسة', 'sameButArticles'],
  ['مدرسة', 'مدرسة النور', 'beginning'],
  ['المدرسة', 'مدرسة النور', 'beginning'],
  ['مدرسة', 'المدرسة الأولى', 'beginning'],
  ['مدر', 'مدرسة', 'beginning'],
  ['مدرسة', 'ميزانية مدرسة النور', 'elsewhere'],
  ['النور مدرسة', 'مدرسة النور', 'elsewhere'],
  ['عبدالله', 'عبد الله', 'sameWords'],
  ['عبد الله', 'عبدالله', 'sameWords'],
  ['عبد الل', 'عبدالله', 'beginning'],
  ['عبد ا', 'عبد الله', 'beginning'],
  ['أبو عبدالله', 'أبو عبد الله', 'sameWords'],
  ['ابوظبي', 'أبو ظبي', 'sameWords'],
  ['أبو ظ', 'أبو ظبي', 'beginning'],
  ['ظبي', 'أبو ظبي', 'elsewhere'],
  ['٢٠٢٦', '2026', 'identical'],
  ['sanaa', "Sana'a", 'sameWords'],
  ['"website redesign"', 'Website – Redesign!', 'sameWords'],
  ['c++', 'C++', 'identical'],
  ['c++', 'C', 'sameWords'],
  ['c#', 'C++', 'sameWords'],
  ['¤', '¤', 'identical'],
  ['¤', 'mid ¤ dle', 'elsewhere'],
  ['e-mail', 'E-mail', 'identical'],
  ['e mail', 'E-mail', 'sameWords'],
  ['١٤٤٧هـ', '1447 هـ', 'sameWords'],
  ['web', 'Website Redesign', 'beginning'],
  ['redesign', 'Website Redesign', 'elsewhere'],
  ['#', '#1', 'elsewhere'],
]

for (const [query, name, rank] of ranked) {
  test(`for ${shown(query)} the rank of ${shown(name)} is ${rank}`, () => {
    assert.equal(search(query, name), ranks[rank])
  })
}

test('hits come in order: the same, the same but for articles, beginnings, then the rest', () => {
  const names = ['خطة المدرسة', 'مدرسة النور', 'المدرسة', 'مكتبة', 'مدرسة']
  const hits = names
    .map((name) => ({ name, rank: search('مدرسة', name) }))
    .filter((hit): hit is { name: string; rank: Rank } => hit.rank !== null)
    .sort((a, b) => a.rank - b.rank)
  assert.deepEqual(
    hits.map(({ name }) => name),
    ['مدرسة', 'المدرسة', 'مدرسة النور', 'خطة المدرسة'],
  )
})

const nothing: readonly [query: string, what: string][] = [
  ['', 'a blank text'],
  [' ', 'a space'],
  [' \t\r\n\u00a0\u3000\u2028', 'white space of many kinds'],
  ['\0', 'a NUL character'],
  ['\0\0 \0', 'NUL characters'],
  ['\u0001\u001b\u007f\u0085', 'control characters'],
  ['\u200b\u200f\u2066\ufeff', 'zero-width and bidi characters'],
  ['ـــ', 'tatweel'],
  ['\u064e\u0651', 'vowel signs'],
  ['\u0301', 'an accent'],
]

for (const [query, what] of nothing) {
  test(`${what} wants nothing`, () => {
    assert.equal(wantedIn(readWords(query)), null)
  })
}

test('more words than a name can hold want nothing', () => {
  const words = Array.from({ length: 500 }, (_, i) => `x${i + 1_000}`)
  assert.notEqual(wantedIn(readWords(words.slice(0, 100).join(' '))), null)
  assert.equal(wantedIn(readWords(words.join(' '))), null)
})

test('a NUL stands between words, as a space does', () => {
  assert.equal(search('web\0re', 'Website Redesign'), ranks.elsewhere)
})

test('words that others imply are dropped', () => {
  const wanted = wantedIn(readWords('a ab abc abc'))
  assert.deepEqual(
    wanted?.words.map(({ folded }) => folded),
    ['abc'],
  )
})

const someWord = fc.oneof(
  // Alone, the article belongs to what follows it.
  fc
    .string({ unit: fc.constantFrom('ا', 'ل', 'و', 'ب', 'م'), minLength: 1, maxLength: 6 })
    .filter((word) => word !== 'ال'),
  fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 3 }),
  fc.constantFrom('عبد', 'الله', 'عبدالله', 'أبو', 'ظبي', 'أبوظبي', 'المدرسة', 'للمدرسة', '🚀'),
)
const someWords = fc.array(someWord, { minLength: 1, maxLength: 6 })

test('to drop words that others imply changes nothing in what is found', () => {
  fc.assert(
    fc.property(someWords, someWords, (query, name) => {
      const reading = readWords(query.join(' '))
      const wanted = wantedIn(reading)
      assert.notEqual(wanted, null)
      if (wanted === null) return
      const all = { ...wanted, words: reading.words }
      const named = readWords(name.join(' '))
      assert.equal(rankOf(wanted, named), rankOf(all, named))
    }),
    { numRuns: 5_000 },
  )
})

test('a word said twice, or again as far as its beginning, finds the same names', () => {
  fc.assert(
    fc.property(someWords, someWords, fc.nat(), fc.nat(), (query, name, at, length) => {
      const word = query[at % query.length] as string
      const isFound = search(query.join(' '), name.join(' ')) !== null
      for (const more of [word, beginningOf(word, length)]) {
        assert.equal(search([...query, more].join(' '), name.join(' ')) !== null, isFound, more)
      }
    }),
    { numRuns: 5_000 },
  )
})

test('in any order the same words find the same names', () => {
  fc.assert(
    fc.property(someWords, someWords, (query, name) => {
      const isFound = search(query.join(' '), name.join(' ')) !== null
      assert.equal(search(query.toReversed().join(' '), name.join(' ')) !== null, isFound)
    }),
    { numRuns: 2_000 },
  )
})

test('any text at all is a query, finds itself, and is never an error', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 100 }),
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.string({ unit: fc.constantFrom(...'"\'*^:()-+{}#%_~|&!؟، aب'), maxLength: 20 }),
  )
  fc.assert(
    fc.property(anyText, (text) => {
      const reading = readWords(text)
      const wanted = wantedIn(reading)
      if (wanted !== null) assert.notEqual(rankOf(wanted, reading), null)
    }),
    { numRuns: 2_000 },
  )
})

function search(query: string, name: string): Rank | null {
  const wanted = wantedIn(readWords(query))
  return wanted === null ? null : rankOf(wanted, readWords(name))
}

/** Of a word with an article the whole: a name without the article has not its first letters. */
function beginningOf(word: string, length: number): string {
  const hasArticle = readWords(word).words.some(({ folded, bare }) => folded !== bare)
  return hasArticle ? word : [...word].slice(0, 1 + (length % [...word].length)).join('')
}

/** Quoted, and with what cannot be seen as its code. */
function shown(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{Cf}\p{Cc}\u00a0\u2028\u3000]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
