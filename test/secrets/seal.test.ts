import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileSeal } from '../../src/secrets/seal.ts'
import { temporaryFolder } from '../support/process.ts'

function keyFile(t: TestContext): string {
  return join(temporaryFolder(t), 'secret.key')
}

test('what is sealed is read back, by whoever has the key, and looks different each time', (t) => {
  const file = keyFile(t)
  const { seal } = fileSeal(file)
  const [first, second] = [seal('كلمة السر'), seal('كلمة السر')]
  assert.notDeepEqual(first, second)
  assert.equal(first.includes('كلمة السر'), false)
  assert.equal(fileSeal(file).open(first), 'كلمة السر')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(file, '..')), ['secret.key'])
})

test('one letter changed, or another key, and nothing is read', (t) => {
  const { seal, open } = fileSeal(keyFile(t))
  const sealed = seal('password')
  for (const index of [0, 12, 20, sealed.length - 1]) {
    const spoiled = Buffer.from(sealed)
    spoiled[index] = (spoiled[index] as number) ^ 1
    assert.throws(() => open(spoiled), /cannot be read/)
  }
  const other = fileSeal(keyFile(t))
  other.seal('x')
  assert.throws(() => other.open(sealed), /cannot be read/)
})

test('a key that is lost is not made anew to read with, and works again once it is back', (t) => {
  const file = keyFile(t)
  const { seal, open } = fileSeal(file)
  const sealed = seal('password')
  const key = readFileSync(file)
  rmSync(file)
  assert.throws(() => open(sealed), /secret\.key is not there/)
  assert.deepEqual(readdirSync(join(file, '..')), [])
  writeFileSync(file, 'short')
  assert.throws(() => open(sealed), /no key of Majlis/)
  assert.throws(() => seal('x'), /no key of Majlis/)
  writeFileSync(file, key)
  assert.equal(open(sealed), 'password')
})
