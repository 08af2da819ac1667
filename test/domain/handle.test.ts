import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefOf, looksLikeRef, mintRef, readNumericId } from '../../src/domain/handle.ts'

test("a ref is a prefix and ten characters of Crockford's base32 in lower case", () => {
  let n = 0
  const ref = mintRef('task', () => n++ % 32)
  assert.equal(ref, 'tsk-0123456789')
  const all = new Set<string>()
  for (let i = 0; i < 32; i++) all.add(mintRef('file', () => i).slice(4, 5))
  assert.equal([...all].join(''), '0123456789abcdefghjkmnpqrstvwxyz')
})

for (const prefix of ['prj-', 'lst-', 'tsk-', 'mjl-', 'fil-']) {
  test(`whatever begins with ${prefix} is read as a ref and nothing else`, () => {
    assert.ok(looksLikeRef(`${prefix}7k3m9q2xva`))
    assert.ok(looksLikeRef(`${prefix}anything at all`))
  })
}

test('a slug is not read as a ref, even where its letters come near', () => {
  for (const slug of ['prj', 'project-1', 'xprj-1', 'PRJ-7k3m9q2xva', '']) {
    assert.equal(looksLikeRef(slug), false, slug)
  }
})

test('a ref is of the kind that its prefix says', () => {
  assert.ok(isRefOf('list', 'lst-7k3m9q2xva'))
  assert.equal(isRefOf('list', 'tsk-7k3m9q2xva'), false)
})

const ids: [text: string, id: number | null, why: string][] = [
  ['1', 1, 'a number'],
  ['9007199254740991', 9007199254740991, 'the largest'],
  ['9007199254740992', null, 'past 2^53'],
  ['99999999999999999999', null, 'far past 2^53'],
  ['0', 0, 'a number, though no record has it'],
  ['01', null, 'one record has one address'],
  ['-1', null, 'no sign'],
  ['+1', null, 'no sign'],
  ['1.0', null, 'no fraction'],
  ['1e3', null, 'no exponent'],
  ['0x10', null, 'decimal only'],
  ['abc', null, 'no number'],
  ['', null, 'nothing'],
  [' 1', null, 'no space'],
  ['١', null, 'ids are ASCII'],
]

for (const [text, id, why] of ids) {
  test(`the numeric id ${JSON.stringify(text)} reads as ${id}: ${why}`, () => {
    assert.equal(readNumericId(text), id)
  })
}
