import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directionOf } from '../../src/pdf/direction.ts'

const cases: [text: string, direction: 'ltr' | 'rtl' | null, reason: string][] = [
  ['Hello سلام', 'ltr', 'the first letter is Latin'],
  ['سلام Hello', 'rtl', 'the first letter is Arabic'],
  ['שלום', 'rtl', 'Hebrew'],
  ['Ω', 'ltr', 'Greek'],
  ['中文', 'ltr', 'Chinese'],
  ['123 (٤٥) — سلام', 'rtl', 'digits of both kinds and punctuation are not strong'],
  ['🎉 Hello', 'ltr', 'emoji are not strong'],
  ['؟', 'rtl', 'the Arabic question mark is strong'],
  ['َ A', 'ltr', 'a mark without its letter is not strong'],
  ['\u200fHello', 'rtl', 'a right-to-left mark'],
  ['\u200eسلام', 'ltr', 'a left-to-right mark'],
  ['\u2067سلام\u2069 Hello', 'ltr', 'an isolate is passed over'],
  ['\u2067\u2066a\u2069سلام\u2069 Hello', 'ltr', 'an isolate in an isolate is passed over'],
  ['\u2069سلام', 'rtl', 'the end of no isolate'],
  ['\u2066abc', null, 'an isolate that nothing ends'],
  ['2026-11-15', null, 'numbers say nothing'],
  ['', null, 'nothing says nothing'],
]

for (const [text, direction, reason] of cases) {
  test(`the direction of ${JSON.stringify(text)} is ${direction}: ${reason}`, () => {
    assert.equal(directionOf(text), direction)
  })
}
