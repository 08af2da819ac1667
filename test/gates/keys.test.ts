import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mintKeyText } from '../../src/domain/key-text.ts'
import { operations } from '../../src/domain/operations.ts'
import { boot } from '../support/boot.ts'
import { assertRefused } from '../support/client.ts'
import { lookInto } from '../support/database.ts'
import { wire } from '../support/wire.ts'

test('a missing, malformed, unknown, wrong, revoked and expired key get one and the same body', async (t) => {
  const { majlis, api } = await boot(t)
  const good = await majlis.key()
  const revoked = await majlis.company.key()
  revoked.revoke()
  const expired = await majlis.key({ expiresAt: '2026-02-28T00:00:00Z' })
  const stranger = mintKeyText((limit) => limit - 1).text
  const wrongSecret = `${good.slice(0, 20)}${good.slice(20, -6).split('').reverse().join('')}${good.slice(-6)}`
  const expected = (await api.as(null).get('/me')).text
  for (const key of [stranger, wrongSecret, revoked.text, expired, 'x', good.slice(0, -1)]) {
    const answer = await api.as(key).get('/me')
    assertRefused(answer, 401, 'unauthorized')
    assert.equal(answer.text, expected)
    assert.equal(answer.headers.get('x-ratelimit-limit'), null)
  }
})

test('a secret that is wrong, under a checksum that is right, is refused by the digest', async (t) => {
  const { majlis, api } = await boot(t)
  const first = await majlis.key()
  const { crc32 } = await import('node:zlib')
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const payload = first.slice(8, 18) + 'A'.repeat(32)
  let rest = crc32(payload)
  let sum = ''
  for (let i = 0; i < 6; i++) {
    sum = alphabet[rest % 62] + sum
    rest = Math.floor(rest / 62)
  }
  for (let i = 0; i < 2; i++) {
    assertRefused(await api.as(`svc_api_${payload}${sum}`).get('/me'), 401, 'unauthorized')
  }
  assert.equal((await api.as(first).get('/me')).status, 200)
})

const schemes: [header: string, status: number, why: string][] = [
  ['Bearer KEY', 200, 'as the specification has it'],
  ['bearer KEY', 200, 'a scheme is case-insensitive'],
  ['BEARER  KEY', 200, 'more spaces are harmless'],
  ['KEY', 401, 'no scheme'],
  ['Basic KEY', 401, 'another scheme'],
  ['Bearer', 401, 'no key'],
  ['Bearer KEY KEY', 401, 'two keys'],
  ['Token KEY', 401, 'another scheme'],
]

for (const [header, status, why] of schemes) {
  test(`the header "Authorization: ${header}" answers ${status}: ${why}`, async (t) => {
    const { majlis, api } = await boot(t)
    const key = await majlis.key()
    const answer = await api
      .as(null)
      .with({ authorization: header.replaceAll('KEY', key) })
      .get('/me')
    assert.equal(answer.status, status)
  })
}

test('a key stops when it expires, also after it was used', async (t) => {
  const { majlis, api } = await boot(t)
  const key = await majlis.key({ expiresAt: '2026-03-01T09:00:10Z' })
  assert.equal((await api.as(key).get('/me')).status, 200)
  majlis.clock.set('2026-03-01T09:00:09.999Z')
  assert.equal((await api.as(key).get('/me')).status, 200)
  majlis.clock.set('2026-03-01T09:00:10Z')
  assert.equal((await api.as(key).get('/me')).status, 401)
})

test('a rotated key works with its new text at once, and with the old one only for the grace', async (t) => {
  const { majlis, api } = await boot(t)
  const key = await majlis.company.key()
  assert.equal((await api.as(key.text).get('/me')).status, 200)
  const second = await key.rotate(5)
  assert.equal((await api.as(key.text).get('/me')).status, 200)
  assert.equal((await api.as(second).get('/me')).status, 200)
  majlis.clock.advance({ minutes: 5 })
  assert.equal((await api.as(key.text).get('/me')).status, 401)
  const third = await key.rotate()
  assert.equal((await api.as(second).get('/me')).status, 401)
  assert.equal((await api.as(third).get('/me')).status, 200)
})

test('a key goes on working, with its signature, after its creator has left', async (t) => {
  const { majlis, api } = await boot(t)
  const sara = majlis.seed.user({ name: 'Sara', email: 'sara@x.example' })
  const key = await majlis.key({ creator: sara.email })
  sara.deactivate()
  const answer = await api.as(key).get('/me')
  assert.deepEqual(answer.data.created_by, { name: 'Sara', email: 'sara@x.example' })
})

test('a personal access token is no API key', async (t) => {
  const { majlis, api } = await boot(t)
  const key = await majlis.key()
  assertRefused(await api.as(key.replace('svc_api_', 'svc_')).get('/me'), 401, 'unauthorized')
})

test('a write scope carries read, and an empty list of operations allows nothing', async (t) => {
  const { majlis, api } = await boot(t)
  const reading = await majlis.key({ scope: 'write', operations: ['projects:read'] })
  assert.equal((await api.as(reading).get('/projects')).status, 200)
  const nothing = await majlis.key({ scope: 'write', operations: [] })
  assertRefused(await api.as(nothing).get('/projects'), 403, 'forbidden')
  assertRefused(await api.as(nothing).get('/me'), 403, 'forbidden')
})

test('the presets: read carries every read, write adds every write and manage_files, nothing destructive', async (t) => {
  const { majlis, api } = await boot(t)
  const reads = operations.filter((operation) => operation.endsWith(':read'))
  const all = operations.filter((operation) => !operation.endsWith(':destructive'))
  const read = await api.as(await majlis.key({ preset: 'read' })).get('/me')
  assert.deepEqual(read.data.key, { name: 'Test key', access: 'read', operations: reads })
  const write = await api.as(await majlis.key({ preset: 'write' })).get('/me')
  assert.deepEqual(write.data.key, { name: 'Test key', access: 'write', operations: all })
})

test('a key cannot be made with an operation beyond its scope', async (t) => {
  const { majlis } = await boot(t)
  await assert.rejects(
    majlis.key({ scope: 'read', operations: ['projects:write'] }),
    /read scope does not permit projects:write/,
  )
})

test('the text of a key is nowhere in the data folder, nor in the log', async (t) => {
  let log = ''
  const { majlis, api } = await boot(t, {
    storage: 'folder',
    log: (lines) => {
      log += lines
    },
  })
  const key = await majlis.key()
  await api.as(key).get('/me')
  await api.as(key).post('/projects', { name: 'A' })
  await api.as(key).get(`/projects/${key}`)
  await api.as(key).get(`/projects?key=${key}`)
  await api.as(key).delete(`/projects/${key}`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const secret = key.slice(18, 50)
  const folder = majlis.folder ?? ''
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (statSync(join(folder, name)).isDirectory()) continue
    assert.equal(readFileSync(join(folder, name)).includes(secret), false, name)
  }
  assert.ok(log.includes('"path":"/api/v1/projects/svc_[redacted]"'))
  assert.equal(log.includes(secret), false)
  const [row] = lookInto<{ digest: string }>(majlis, 'select digest from api_key_secrets')
  assert.match(row?.digest ?? '', /^\$argon2id\$/)
})

test('a key that is revoked, or a company frozen, while a body is arriving does not write any more', async (t) => {
  const { majlis, api } = await boot(t)
  const upload = async (meanwhile: (key: { revoke(): void }) => void) => {
    const key = await majlis.company.key()
    await api.as(key.text).get('/me')
    const line = wire(majlis.url)
    line.write(
      `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.text}\r\nContent-Length: 15\r\n\r\n{"name"`,
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    meanwhile(key)
    line.write(':"late"}')
    const [answer] = await line.responses(1)
    line.socket.destroy()
    return answer?.status
  }
  assert.equal(await upload(() => {}), 201)
  assert.equal(await upload((key) => key.revoke()), 401)
  assert.equal(await upload(() => majlis.set({ readOnly: true })), 403)
  assert.equal((await api.get('/projects')).body.meta.total, 1)
})

test('last_used_at of a key is kept', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  await api.get('/me')
  await new Promise((resolve) => setTimeout(resolve, 700))
  const rows = lookInto<{ last_used_at: number }>(majlis, 'select last_used_at from api_keys')
  assert.deepEqual(rows, [{ last_used_at: Date.parse('2026-03-01T09:00:00Z') }])
})
