import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { mintKeyText, readKeyText, redactKeys } from '../../src/domain/key-text.ts'

const mint = () => mintKeyText((limit) => randomInt(limit))

test('a key is svc_api_, 10 characters of lookup id, 32 of secret and 6 of checksum, in base62', () => {
  const { text, lookupId, lastFour } = mint()
  assert.match(text, /^svc_api_[0-9A-Za-z]{48}$/)
  assert.equal(lookupId, text.slice(8, 18))
  assert.equal(lastFour, text.slice(-4))
})

test('the checksum is the CRC32 of the 42 characters before it, most significant digit first, padded with 0', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  for (let i = 0; i < 200; i++) {
    const { text } = mint()
    const value = [...text.slice(-6)].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0)
    assert.equal(value, crc32(text.slice(8, 50)))
  }
})

test('a minted key is read back to its lookup id', () => {
  const { text, lookupId } = mint()
  assert.equal(readKeyText(text), lookupId)
})

test('any single changed character is refused without a look at the database', () => {
  const { text } = mint()
  for (let i = 0; i < text.length; i++) {
    const other = text[i] === 'a' ? 'b' : 'a'
    assert.equal(readKeyText(text.slice(0, i) + other + text.slice(i + 1)), null, `at ${i}`)
  }
})

test('texts of another shape are refused', () => {
  const { text } = mint()
  const others = ['', 'svc_api_', text.slice(0, -1), `${text}0`, ` ${text}`, `${text}\n`]
  for (const other of [...others, text.replace('svc_api_', 'svc_'), text.toUpperCase()]) {
    assert.equal(readKeyText(other), null, JSON.stringify(other))
  }
})

test('a key inside a longer text is redacted, and other text is left alone', () => {
  const { text } = mint()
  assert.equal(redactKeys(`/api/v1/projects/${text}/x`), '/api/v1/projects/svc_[redacted]/x')
  assert.equal(redactKeys('/api/v1/projects/services'), '/api/v1/projects/services')
})
