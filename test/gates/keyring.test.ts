import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { mintKeyText } from '../../src/domain/key-text.ts'
import { createKeyring, type KeyringPorts } from '../../src/gates/keyring.ts'

/** A keyring over invented ports that count how they are used. */
function keyring(verifyDigest: KeyringPorts['verifyDigest'] = async () => true) {
  const used = { reads: 0, verifications: 0, atOnce: 0, most: 0 }
  const secret = { id: 1, digest: 'd', revoked: false, endsAt: null, key: { id: 1 } as never }
  const ring = createKeyring({
    secretByLookupId: () => {
      used.reads++
      return secret
    },
    secretById: () => secret,
    async verifyDigest(digest, text) {
      used.verifications++
      used.most = Math.max(used.most, ++used.atOnce)
      await new Promise((resolve) => setTimeout(resolve, 5))
      used.atOnce--
      return verifyDigest(digest, text)
    },
  })
  return { ring, used }
}

const mint = () => mintKeyText((limit) => randomInt(limit)).text

test('argon2 runs once for a key, also when its first calls come at once', async () => {
  const { ring, used } = keyring()
  const text = mint()
  await Promise.all([1, 2, 3].map(() => ring.verify(text, 'digest', 0)))
  assert.ok(ring.recall('digest', 0))
  assert.equal(used.verifications, 1)
})

test('at most two verifications run at a time, and all are answered', async () => {
  const { ring, used } = keyring()
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, i) => ring.verify(mint(), `digest ${i}`, 0)),
  )
  assert.ok(answers.every((key) => key !== null))
  assert.equal(used.most, 2)
})

test('a text with the wrong checksum costs no read of the database', async () => {
  const { ring, used } = keyring()
  assert.equal(await ring.verify(`${mint().slice(0, -1)}_`, 'digest', 0), null)
  assert.equal(await ring.verify('svc_api_x', 'other', 0), null)
  assert.deepEqual([used.reads, used.verifications], [0, 0])
})

test('a wrong secret is refused from memory the second time', async () => {
  const { ring, used } = keyring(async () => false)
  const text = mint()
  for (let i = 0; i < 3; i++) assert.equal(await ring.verify(text, 'digest', 0), null)
  assert.equal(used.verifications, 1)
})

test('a fault of argon2 is no verdict: the next call tries again', async () => {
  let isBroken = true
  const { ring } = keyring(async () => {
    if (isBroken) throw new Error('out of memory')
    return true
  })
  const text = mint()
  await assert.rejects(ring.verify(text, 'digest', 0), /out of memory/)
  isBroken = false
  assert.ok(await ring.verify(text, 'digest', 0))
})
