import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { companyByCommand as company } from '../support/company.ts'
import { majlis, temporaryFolder } from '../support/process.ts'

test('company create answers the company, with the defaults of the contract', async (t) => {
  const data = temporaryFolder(t)
  const words = ['company', 'create', '--name', ' Acme ', '--data', data, '--json']
  const { code, json, stderr } = await majlis(words)
  assert.equal(code, 0)
  assert.equal(stderr, '')
  const { created_at, ...rest } = json
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.deepEqual(rest, {
    id: 1,
    name: 'Acme',
    time_zone: 'UTC',
    plan: 'advanced',
    rest_api: false,
    daily_limit: null,
    read_only: false,
    language: 'ar',
  })
})

test('company set changes only what is named, and list and show tell', async (t) => {
  const { run } = await company(t)
  const set = await run(
    'company',
    'set',
    '1',
    '--plan',
    'enterprise',
    '--daily-limit',
    '5',
    '--read-only',
  )
  assert.equal(set.json.plan, 'enterprise')
  assert.equal(set.json.rest_api, true)
  assert.equal(set.json.daily_limit, 5)
  assert.equal(set.json.read_only, true)
  const again = await run(
    'company',
    'set',
    '1',
    '--no-read-only',
    '--daily-limit',
    'plan',
    '--name',
    'B',
    '--time-zone',
    'Asia/Riyadh',
  )
  assert.deepEqual(again.json, (await run('company', 'show', '1')).json)
  assert.deepEqual([again.json], (await run('company', 'list')).json)
  assert.deepEqual(
    [
      again.json.name,
      again.json.time_zone,
      again.json.daily_limit,
      again.json.read_only,
      again.json.plan,
    ],
    ['B', 'Asia/Riyadh', null, false, 'enterprise'],
  )
})

test('user create, list and deactivate', async (t) => {
  const { run } = await company(t)
  const made = await run(
    'user',
    'create',
    '--company',
    '1',
    '--name',
    'Ali',
    '--email',
    'ali@x.example',
  )
  assert.equal(made.json.role, 'member')
  const gone = await run('user', 'deactivate', '--company', '1', '--email', 'ALI@x.example')
  assert.equal(gone.json.active, false)
  const { json } = await run('user', 'list', '--company', '1')
  assert.deepEqual(
    json.map((user: { email: string; active: boolean }) => [user.email, user.active]),
    [
      ['ali@x.example', false],
      ['Sara@x.example', true],
    ],
  )
})

test('an e-mail address is taken once in a company, whatever its case', async (t) => {
  const { run } = await company(t)
  const again = await run(
    'user',
    'create',
    '--company',
    '1',
    '--name',
    'S',
    '--email',
    'SARA@x.example',
  )
  assert.equal(again.code, 1)
  assert.match(again.stderr, /already a person/)
  await run('company', 'create', '--name', 'Second')
  const other = await run(
    'user',
    'create',
    '--company',
    '2',
    '--name',
    'S',
    '--email',
    'sara@x.example',
  )
  assert.equal(other.code, 0)
})

test('a password is read from standard input and kept as an argon2id digest', async (t) => {
  const { data } = await company(t)
  const words = [
    'user',
    'create',
    '--company',
    '1',
    '--name',
    'P',
    '--email',
    'p@x.example',
    '--password-stdin',
    '--data',
    data,
  ]
  const short = await majlis(words, { input: 'short\n' })
  assert.equal(short.code, 2)
  const good = await majlis(words, { input: 'correct horse battery\n' })
  assert.equal(good.code, 0)
  const db = new Database(join(data, 'majlis.db'), { readonly: true })
  const digest = db
    .prepare<[], string>("select password_digest from users where email = 'p@x.example'")
    .pluck()
    .get()
  db.close()
  assert.match(digest ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('check answers ok and exit 0 when all is well, and names a wrong counter with exit 1', async (t) => {
  const { data, run } = await company(t)
  const well = await run('check')
  assert.equal(well.code, 0)
  assert.equal(well.json.ok, true)
  const db = new Database(join(data, 'majlis.db'))
  db.exec('update companies set projects_count = 7')
  db.close()
  const wrong = await run('check')
  assert.equal(wrong.code, 1)
  assert.equal(wrong.json.ok, false)
  const text = await majlis(['check', '--data', data])
  assert.match(text.stdout, /WRONG\s+companies.projects_count: row 1 says 7 where a recount says 0/)
})

test('without --json people get tables and sentences, and no control characters', async (t) => {
  const { data, run } = await company(t)
  await run('company', 'create', '--name', 'Evil \u001b[31mred')
  const { stdout } = await majlis(['company', 'list', '--data', data])
  assert.match(stdout, /^id {2}name/)
  assert.ok(stdout.includes('شركة النخيل'))
  assert.equal(stdout.includes('\u001b'), false)
})

test('help is there for all, for a group and for one command, and every command is named in it', async () => {
  const all = await majlis(['--help'])
  for (const word of [
    'serve',
    'company create',
    'key rotate',
    'member add',
    'project restore',
    'discussion restore',
    'audit list',
    'timeline list',
    'notification list',
    'openapi',
    'check',
  ]) {
    assert.ok(all.stdout.includes(word), word)
  }
  assert.equal(all.code, 0)
  assert.match((await majlis(['key', '--help'])).stdout, /key create[\s\S]*key revoke/)
  const one = await majlis(['serve', '--help'])
  assert.match(one.stdout, /--burst-per-key N.*default 300; or MAJLIS_BURST_PER_KEY/)
  assert.match((await majlis(['--version'])).stdout, /^1\.2\.0\n$/)
})

test('openapi prints the document that the server serves', async () => {
  const { json, code } = await majlis(['openapi', '--json'])
  assert.equal(code, 0)
  assert.equal(json.openapi, '3.1.0')
  assert.equal(json.info.version, '1.2.0')
})

test('a database emptied to 0 bytes is no empty world', async (t) => {
  const { data } = await company(t)
  for (const name of ['majlis.db', 'majlis.db-wal']) writeFileSync(join(data, name), '')
  for (const words of [['check'], ['company', 'list']]) {
    const { code, stderr } = await majlis([...words, '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /is empty, as if its data were lost/)
  }
})

test('a database that another program keeps locked is one sentence', async (t) => {
  const { data } = await company(t)
  const db = new Database(join(data, 'majlis.db'))
  db.exec('begin immediate')
  const { code, stderr } = await majlis(['company', 'set', '1', '--plan', 'pro', '--data', data])
  db.close()
  assert.equal(code, 1)
  assert.match(stderr, /is locked by another program/)
})

test('what Majlis writes can be read by its own user alone', async (t) => {
  const { data } = await company(t)
  for (const name of readdirSync(data))
    assert.equal(statSync(join(data, name)).mode & 0o077, 0, name)
})

test('an answer that cannot be written is one line and exit 1', {
  skip: !existsSync('/dev/full') && 'there is no /dev/full here',
}, async (t) => {
  const { data } = await company(t)
  const launcher = fileURLToPath(new URL('../../bin/majlis', import.meta.url))
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', `"${process.execPath}" "${launcher}" company list --data "${data}" > /dev/full`],
    { encoding: 'utf8' },
  )
  assert.equal(status, 1)
  assert.equal(stderr.trim().split('\n').length, 1, stderr)
  assert.match(stderr, /standard output/)
})

test('what commands change in companies, people and projects is audited with the words of the command', async (t) => {
  const { run } = await company(t)
  await run('company', 'set', '1', '--plan', 'pro', '--read-only')
  await run('user', 'deactivate', '--company', '1', '--email', 'sara@x.example')
  const { json } = await run('audit', 'list', '--company', '1')
  assert.deepEqual(
    json.map(
      (row: { operation: string; method: string; path: string }) =>
        `${row.method} ${row.operation}: ${row.path}`,
    ),
    [
      'CLI users:deactivate: user deactivate Sara@x.example',
      'CLI companies:set: company set plan=pro readOnly=true',
      'CLI users:create: user create Sara@x.example',
    ],
  )
  assert.equal((await run('audit', 'list', '--company', '1', '--limit', '1')).json.length, 1)
})

test('first commands at the same time on one new folder all work', async (t) => {
  const data = join(temporaryFolder(t), 'new')
  const ends = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      majlis(['company', 'create', '--name', `C${i}`, '--data', data, '--json']),
    ),
  )
  assert.deepEqual(
    ends.map(({ stderr }) => stderr),
    Array(8).fill(''),
  )
  assert.equal((await majlis(['company', 'list', '--data', data, '--json'])).json.length, 8)
})

test('a folder deep below missing ones is made, and a place that takes no folder is one sentence', async (t) => {
  const deep = join(temporaryFolder(t), 'a/b/c')
  assert.equal((await majlis(['company', 'create', '--name', 'A', '--data', deep])).code, 0)
  const { code, stderr } = await majlis([
    'company',
    'create',
    '--name',
    'A',
    '--data',
    '/proc/majlis/data',
  ])
  assert.equal(code, 1)
  assert.match(stderr, /cannot be written to/)
})
