import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companyByCommand as company } from '../support/company.ts'

test('key create shows the key once, and key list never', async (t) => {
  const { run, key } = await company(t)
  const { json } = await key(
    '--preset',
    'write',
    '--operations',
    'tasks:destructive',
    '--rights',
    'delete_any_project',
  )
  assert.match(json.key, /^svc_api_[0-9A-Za-z]{48}$/)
  assert.deepEqual(json.rights, ['manage_files', 'delete_any_project'])
  assert.ok(json.operations.includes('tasks:destructive'))
  const list = await run('key', 'list', '--company', '1')
  assert.equal(list.stdout.includes(json.key), false)
  const { key: text, ...rest } = json
  assert.deepEqual(list.json, [rest])
  assert.deepEqual(Object.keys(list.json[0]), [
    'id',
    'name',
    'last_four',
    'scope',
    'operations',
    'rights',
    'creator',
    'created_at',
    'last_used_at',
    'expires_at',
    'revoked_at',
  ])
  assert.equal(list.json[0].last_four, text.slice(-4))
  assert.equal(list.json[0].creator, 'Sara@x.example')
})

const grants: [
  words: string[],
  scope: string,
  operations: number,
  rights: string[],
  why: string,
][] = [
  [[], 'read', 8, [], 'the read preset unless said otherwise'],
  [['--preset', 'read'], 'read', 8, [], 'every read'],
  [['--preset', 'write'], 'write', 15, ['manage_files'], 'every read and write'],
  [['--scope', 'write'], 'write', 0, [], 'a scope alone carries nothing'],
  [['--scope', 'read', '--operations', ''], 'read', 0, [], 'the empty list'],
  [['--scope', 'write', '--operations', 'tasks:read, tasks:write'], 'write', 2, [], 'a list alone'],
  [
    ['--preset', 'read', '--operations', 'account:read'],
    'read',
    8,
    [],
    'named twice is carried once',
  ],
  [
    ['--preset', 'read', '--scope', 'write', '--operations', 'tasks:write'],
    'write',
    9,
    [],
    'a higher ceiling',
  ],
  [
    ['--preset', 'read', '--rights', 'delete_any_file'],
    'read',
    8,
    ['delete_any_file'],
    'rights are added',
  ],
]

for (const [words, scope, operations, rights, why] of grants) {
  test(`key create ${words.join(' ')} carries ${operations} operations: ${why}`, async (t) => {
    const { key } = await company(t)
    const { json } = await key(...words)
    assert.deepEqual([json.scope, json.operations.length, json.rights], [scope, operations, rights])
  })
}

test('a bad expiry is exit 2, a good one without an offset is in the company time zone', async (t) => {
  const { run, key } = await company(t)
  assert.equal((await key('--expires-at', '2026-02-30')).code, 2)
  await run('company', 'set', '1', '--time-zone', 'Asia/Riyadh')
  assert.equal(
    (await key('--expires-at', '2027-01-31T12:00:00')).json.expires_at,
    '2027-01-31T09:00:00Z',
  )
  assert.equal(
    (await key('--expires-at', '2020-01-31T12:00:00Z')).json.expires_at,
    '2020-01-31T12:00:00Z',
  )
})

test('revoking is idempotent, a revoked key cannot be rotated, a deactivated person signs no key', async (t) => {
  const { run, key } = await company(t)
  const { json } = await key()
  const once = await run('key', 'revoke', String(json.id))
  const twice = await run('key', 'revoke', String(json.id))
  assert.deepEqual(once.json, twice.json)
  assert.equal((await run('key', 'rotate', String(json.id))).code, 1)
  await run('user', 'deactivate', '--company', '1', '--email', 'sara@x.example')
  assert.match((await key()).stderr, /deactivated/)
})

test('keys may be made for a company whose plan or flag refuses them today', async (t) => {
  const { run, key } = await company(t)
  await run('company', 'set', '1', '--plan', 'free', '--rest-api', 'off')
  assert.equal((await key()).code, 0)
})

test('key administration is audited', async (t) => {
  const { run, key } = await company(t)
  const { json } = await key()
  await run('key', 'rotate', String(json.id), '--grace', '5')
  await run('key', 'revoke', String(json.id))
  const audit = await run('audit', 'list', '--company', '1')
  assert.deepEqual(
    audit.json.map((row: { operation: string; outcome: string; key_name: string }) => [
      row.operation,
      row.outcome,
      row.key_name,
    ]),
    [
      ['keys:revoke', 'allowed', 'K'],
      ['keys:rotate', 'allowed', 'K'],
      ['keys:create', 'allowed', 'K'],
      ['users:create', 'allowed', null],
    ],
  )
})
