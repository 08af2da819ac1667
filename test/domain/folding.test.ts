import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold } from '../../src/domain/folding.ts'
import { vectors } from './folding-vectors.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  textOutOf([0x0600, 0x06ff], [0x20, 0x7e], [0xe0, 0xff]),
  textOutOf([0x0600, 0x06ff], [0xfb50, 0xfdff], [0xfe70, 0xfeff], [0x0300, 0x036f]),
  textOutOf([0x41, 0x5a], [0x0100, 0x024f], [0x0300, 0x036f], [0x1e00, 0x1eff]),
)

for (const { rule, text, folded } of vectors) {
  test(`${rule}: ${JSON.stringify(text)} folds to ${folded}`, () => {
    assert.equal(fold(text), folded)
  })
}

test('between them the vectors are many, and each text is there once', () => {
  const texts = vectors.map(({ text }) => text)
  assert.ok(texts.length >= 40)
  assert.equal(new Set(texts).size, texts.length)
})

/** The test cases of Lucene's ArabicNormalizer, with what it makes of them. */
const lucene: readonly [text: string, folded: string, what: string][] = [
  ['آجن', 'اجن', 'alef with madda'],
  ['أحمد', 'احمد', 'alef with hamza above'],
  ['إعاذ', 'اعاذ', 'alef with hamza below'],
  ['بنى', 'بني', 'alef maksura'],
  ['فاطمة', 'فاطمه', 'teh marbuta'],
  ['روبرـــــت', 'روبرت', 'tatweel'],
  ['مَبنا', 'مبنا', 'fatha'],
  ['علِي', 'علي', 'kasra'],
  ['بُوات', 'بوات', 'damma'],
  ['ولداً', 'ولدا', 'fathatan'],
  ['ولدٍ', 'ولد', 'kasratan'],
  ['ولدٌ', 'ولد', 'dammatan'],
  ['نلْسون', 'نلسون', 'sukun'],
  ['هتميّ', 'هتمي', 'shadda'],
  ['', '', 'the empty text'],
]

for (const [text, folded, what] of lucene) {
  test(`${what} folds as in Lucene: ${JSON.stringify(text)} to ${JSON.stringify(folded)}`, () => {
    assert.equal(fold(text), folded)
  })
}

test('what is folded folds to itself, for any text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const folded = fold(text)
      assert.equal(fold(folded), folded)
    }),
    { numRuns: 2_000 },
  )
})

test('every character of Unicode, alone or among letters, folds to what folds to itself', () => {
  for (const character of everyCharacter()) {
    for (const text of [character, `${character}é`, `ب${character}ا`]) {
      const folded = fold(text)
      assert.equal(fold(folded), folded, codeOf(character))
    }
  }
})

test('a text of plain Arabic folds as it does beside a letter that wants the long way', () => {
  fc.assert(
    fc.property(textOutOf([0x0600, 0x06ff], [0x20, 0x7e]), (text) => {
      assert.equal(fold(`${text}\u00e9`), `${fold(text)}e`)
      assert.equal(fold(`\u00e9 ${text}`), `e ${fold(text)}`)
    }),
    { numRuns: 2_000 },
  )
})

test('each character of the Arabic block folds alone as it does beside a letter that wants the long way', () => {
  for (let code = 0x0600; code <= 0x06ff; code++) {
    const character = String.fromCodePoint(code)
    assert.equal(fold(`${character}\u00e9`), `${fold(character)}e`, codeOf(character))
  }
})

test('folded text has no Arabic marks, whatever the text was', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      assert.doesNotMatch(fold(text), /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc]/)
      assert.doesNotMatch(fold(text), /[\u06df-\u06e8\u06ea-\u06ed\u08ca-\u08e1\u08e3-\u08ff]/)
    }),
    { numRuns: 2_000 },
  )
})

test('every mark that Unicode has for Arabic is dropped', () => {
  const kept = [...everyCharacter()].filter(
    (character) => isArabicMark(character) && fold(`ب${character}`) !== 'ب',
  )
  assert.deepEqual(kept.map(codeOf), [])
})

test('composed or decomposed, a word of Arabic or Latin letters folds alike', () => {
  const arabic = textOutOf([0x0620, 0x0655], [0x066e, 0x06d3])
  const latin = textOutOf([0x41, 0x5a], [0x61, 0x7a], [0xc0, 0xff], [0x0100, 0x017f])
  fc.assert(
    fc.property(fc.oneof(arabic, latin, fc.constantFrom(...vectors.map(wordOf))), (word) => {
      const folded = fold(word)
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
        assert.equal(fold(word.normalize(form)), folded, form)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('digits of every script of Arabic and of ASCII fold to the same number', () => {
  fc.assert(
    fc.property(fc.nat(), (number) => {
      for (const zero of [0x30, 0x0660, 0x06f0, 0xff10]) {
        const written = String(number).replace(/\d/g, (digit) =>
          String.fromCodePoint(zero + Number(digit)),
        )
        assert.equal(fold(written), String(number))
      }
    }),
  )
})

function textOutOf(...ranges: [first: number, last: number][]): fc.Arbitrary<string> {
  const units = ranges.map(([min, max]) =>
    fc.integer({ min, max }).map((code) => String.fromCodePoint(code)),
  )
  return fc.string({ unit: fc.oneof(...units), maxLength: 40 })
}

/** A vowel sign in a form of its own is the one exception: normalised, it stands on a space. */
function wordOf({ text }: { text: string }): string {
  return text.replace('\ufe78', '')
}

function* everyCharacter(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code)
  }
}

/** U+102E0 is written with Coptic numbers, and counts as Arabic only because Arabs wrote those too. */
function isArabicMark(character: string): boolean {
  return /^(?=\p{M})\p{Script_Extensions=Arabic}$/u.test(character) && character !== '\u{102e0}'
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}
