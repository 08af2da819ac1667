import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstFreeSlug, slugify } from '../../src/domain/slug.ts'

const table: [name: string, slug: string, why: string][] = [
  ['Website Redesign', 'website-redesign', 'lower case, spaces become hyphens'],
  ['  --Hello,   World!--  ', 'hello-world', 'the rest collapses and is trimmed'],
  ['إطلاق المتجر', 'إطلاق-المتجر', 'Arabic letters are kept'],
  ['خطة ٢٠٢٦', 'خطة-٢٠٢٦', 'Arabic-Indic digits are digits'],
  ['Café', 'café', 'accents are letters'],
  ['Cafe\u0301', 'café', 'a composed and a decomposed letter give one slug'],
  ['a_b.c/d', 'a-b-c-d', 'punctuation is no letter'],
  ['🚀🚀', 'item', 'nothing left'],
  ['...', 'item', 'nothing left'],
  ['🚀 launch', 'launch', 'emoji are no letters'],
  ['prj-1234567890', 'item-prj-1234567890', 'never begins like a ref'],
  ['LST results', 'item-lst-results', 'whatever the case was'],
  ['tsk', 'item-tsk', "a second one would be 'tsk-2', which begins like a ref"],
  ['mjl', 'item-mjl', 'the same'],
  ['fil-', 'item-fil', 'the same'],
  ['tskx one', 'tskx-one', 'only the whole prefix counts'],
  ['a/../b', 'a-b', 'no dots survive'],
  ['İstanbul', 'istanbul', 'a letter that lower case would split stays one'],
]

for (const [name, slug, why] of table) {
  test(`the slug of ${JSON.stringify(name)} is ${slug}: ${why}`, () => {
    assert.equal(slugify(name), slug)
  })
}

test('a taken slug gets the first free number from 2', () => {
  const taken = new Set(['a', 'a-2', 'a-4'])
  assert.equal(
    firstFreeSlug('a', (slug) => !taken.has(slug)),
    'a-3',
  )
})

test('the ten thousandth slug of one name is found in few look-ups and is the next number', () => {
  const taken = new Set(['a', ...Array.from({ length: 9_999 }, (_, i) => `a-${i + 2}`)])
  let lookUps = 0
  const slug = firstFreeSlug('a', (candidate) => {
    lookUps++
    return !taken.has(candidate)
  })
  assert.equal(slug, 'a-10001')
  assert.ok(lookUps < 50, `${lookUps} look-ups`)
})
