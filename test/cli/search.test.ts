import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { type Api, client } from '../support/client.ts'
import { companyWithKey } from '../support/company.ts'
import { majlis, type Served, serve, temporaryFolder } from '../support/process.ts'
import { eventually } from '../support/stored.ts'
import { versionOne } from '../support/version-one.ts'

const unlimited = ['--burst-per-key', '0', '--burst-per-ip', '0']

/** A served company with project مدرسة أحمد, list قائمة and three tasks in it: five names. */
async function company(t: TestContext) {
  const { data, key } = await companyWithKey(t, '--plan', 'enterprise')
  const server = await serve(t, data, unlimited)
  const api = client(server.baseUrl, key.key)
  const project = (await api.post('/projects', { name: 'مدرسة أحمد' })).data
  const list = (await api.post(`/projects/${project.id}/lists`, { title: 'قائمة' })).data
  for (const title of ['Café', 'مهمة', 'مهمة']) {
    assert.equal((await api.post(`/lists/${list.id}/tasks`, { title })).status, 201)
  }
  return { data, server, api, key: key.key as string }
}

/** The same, stopped. */
async function stoppedCompany(t: TestContext) {
  const { data, server, key } = await company(t)
  await server.stop()
  return { data, key }
}

function withDatabase<T>(data: string, work: (db: Database.Database) => T): T {
  const db = new Database(join(data, 'majlis.db'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** As many tasks more in the first list, by a program that puts nothing into the index. */
function addTasks(data: string, count: number): void {
  withDatabase(data, (db) => {
    const add = db.prepare(`
      insert into tasks
        (company_id, list_id, ref, slug, title, position, creator_id, created_at, updated_at)
      values (1, 1, @ref, @ref, 'أحمد', @position, 1, 0, 0)`)
    db.transaction(() => {
      for (let i = 0; i < count; i++) add.run({ ref: `tsk-${i}`, position: 1e9 + i })
    })()
  })
}

async function titles(api: Api, text: string): Promise<string[]> {
  const { status, data } = await api.get(`/search?q=${encodeURIComponent(text)}`)
  assert.equal(status, 200)
  return data.results.map(({ title }: { title: string }) => title)
}

interface Finding {
  check: string
  ok: boolean
  detail: string
}

async function searchFinding(data: string): Promise<Finding> {
  const { json } = await majlis(['check', '--data', data, '--json'])
  const findings: Finding[] = json.checks
  return findings.find(({ check }) => check === 'search index') as Finding
}

/** What the server has noted in its log, the sentences about search alone. */
function notesOf({ stderr }: Served): string[] {
  return stderr()
    .split('\n')
    .filter((line) => line.includes('"event":"note"'))
    .map((line) => JSON.parse(line).message as string)
    .filter((message) => message.startsWith('Search:'))
}

test('search reindex says how many names there are, and its progress on standard error alone', async (t) => {
  const { data } = await stoppedCompany(t)
  const told = await majlis(['search', 'reindex', '--data', data])
  assert.deepEqual(
    [told.code, told.stdout],
    [0, 'The search index has been built anew: 5 names.\n'],
  )
  assert.match(told.stderr, /^(?:(?:reading the names|clearing the old index away): \d+%\n)+$/)
  const { code, stdout, json } = await majlis(['search', 'reindex', '--data', data, '--json'])
  assert.deepEqual([code, json], [0, { reindexed: true, names: 5 }])
  assert.equal(stdout.trimEnd().split('\n').length, 1)
  const { ok, detail } = await searchFinding(data)
  assert.deepEqual([ok, detail], [true, 'every name is found by it'])
})

test('progress grows up to the end, for the reading and for the clearing after it', async (t) => {
  const { data } = await stoppedCompany(t)
  addTasks(data, 6000)
  await majlis(['search', 'reindex', '--data', data])
  const { stderr, stdout } = await majlis(['search', 'reindex', '--data', data])
  assert.match(stdout, /6005 names/)
  const lines = stderr.trimEnd().split('\n')
  for (const phase of ['reading', 'clearing']) {
    const percents = lines
      .filter((line) => line.startsWith(phase))
      .map((line) => Number(/(\d+)%$/.exec(line)?.[1]))
    assert.ok(percents.length > 5, `${phase} was told ${percents.length} times`)
    assert.deepEqual(
      percents,
      [...new Set(percents)].sort((a, b) => a - b),
    )
  }
  assert.equal((await searchFinding(data)).ok, true)
})

test('it works beside a running server, which answers and writes all the while', async (t) => {
  const { data, api } = await company(t)
  addTasks(data, 3000)
  let isDone = false
  const reindex = majlis(['search', 'reindex', '--data', data, '--json']).finally(() => {
    isDone = true
  })
  let asked = 0
  while (!isDone) {
    assert.deepEqual(await titles(api, 'cafe'), ['Café'])
    const made = await api.post('/projects', { name: `Meanwhile${asked}` })
    assert.equal(made.status, 201)
    assert.deepEqual(await titles(api, `meanwhile${asked}`), [`Meanwhile${asked}`])
    asked++
  }
  const { code, json } = await reindex
  assert.equal(code, 0)
  assert.ok(asked > 1 && json.names >= 3005, `${asked} asked, ${json.names} names`)
  assert.ok((await titles(api, 'احمد')).includes('أحمد'))
  await eventually(() => withDatabase(data, assertNoneIsBuilt))
  const { ok, detail } = await searchFinding(data)
  assert.ok(ok, detail)
})

function assertNoneIsBuilt(db: Database.Database): void {
  const states = db.prepare('select state from name_indexes order by state').pluck().all()
  assert.deepEqual(states, ['empty', 'serving'])
}

const damages: [what: string, sql: string, named: RegExp][] = [
  ['a row that is gone', 'delete from names where rowid = 16', /projects row 1/],
  [
    'a row that is gone while another of its name is there',
    'delete from names where rowid = 3 * 16 + 2',
    /tasks row 3/,
  ],
  [
    'a row of no record',
    "insert into names (rowid, terms) values (999 * 16 + 2, '00001acafe')",
    /index row 15986/,
  ],
  ['a name changed by another program', "update tasks set title = 'New'", /tasks row 1/],
]

for (const [what, sql, named] of damages) {
  test(`check finds ${what} and says what helps, and that does`, async (t) => {
    const { data } = await stoppedCompany(t)
    withDatabase(data, (db) => db.exec(sql))
    const { code, stdout } = await majlis(['check', '--data', data])
    assert.equal(code, 1)
    const line = stdout.split('\n').find((text) => /^WRONG +search index: /.test(text)) ?? stdout
    assert.match(line, named)
    assert.match(line, /majlis search reindex/)
    assert.equal((await searchFinding(data)).ok, false)
    for (const time of ['once', 'twice']) {
      assert.equal((await majlis(['search', 'reindex', '--data', data])).code, 0)
      const { code, stdout } = await majlis(['check', '--data', data])
      assert.equal(code, 0, `${time}: ${stdout}`)
      withDatabase(data, (db) => {
        const rows = db.prepare('select count(*) from names_docsize').pluck().get()
        assert.equal(rows, 5, `after reindexing ${time}`)
      })
    }
  })
}

test('check finds that what is known of the index is lost and says what helps, and that does', async (t) => {
  const { data, key } = await stoppedCompany(t)
  withDatabase(data, (db) => db.exec("delete from name_indexes where state = 'serving'"))
  const { ok, detail } = await searchFinding(data)
  assert.equal(ok, false)
  assert.match(detail, /majlis search reindex/)
  const { code, stderr } = await majlis(['search', 'reindex', '--data', data])
  assert.equal(code, 0, stderr)
  assert.equal((await searchFinding(data)).ok, true)
  const { baseUrl } = await serve(t, data)
  assert.deepEqual(await titles(client(baseUrl, key), 'cafe'), ['Café'])
})

test('an index whose pages are damaged is built anew from nothing', async (t) => {
  const { data, key } = await stoppedCompany(t)
  withDatabase(data, (db) => db.unsafeMode().exec('delete from names_data where id > 10'))
  const { code, stdout } = await majlis(['check', '--data', data])
  assert.equal(code, 1)
  assert.match(stdout, /WRONG +integrity: .*majlis search reindex/)
  const again = await majlis(['search', 'reindex', '--data', data])
  assert.equal(again.code, 0, again.stderr)
  const after = await majlis(['check', '--data', data])
  assert.equal(after.code, 0, after.stdout)
  const { baseUrl } = await serve(t, data)
  assert.deepEqual(await titles(client(baseUrl, key), 'cafe'), ['Café'])
})

test('a damaged index is no hindrance to a server, and is mended below it', async (t) => {
  const { data, api } = await company(t)
  withDatabase(data, (db) => db.exec('delete from names where rowid = 16'))
  assert.deepEqual(await titles(api, 'احمد'), [])
  assert.equal((await majlis(['search', 'reindex', '--data', data])).code, 0)
  assert.deepEqual(await titles(api, 'احمد'), ['مدرسة أحمد'])
})

test('a database of other rules is read anew at the start, told in the log, and found by the new ones', async (t) => {
  const { data, key } = await stoppedCompany(t)
  addTasks(data, 600)
  withDatabase(data, (db) =>
    db.exec(`
      update name_indexes set rules = 0 where state = 'serving';
      delete from names where rowid = 16`),
  )
  assert.equal((await searchFinding(data)).ok, true, 'the server will do it')
  const server = await serve(t, data, unlimited)
  const api = client(server.baseUrl, key)
  assert.deepEqual(await titles(api, 'cafe'), ['Café'], 'what is in the old index is found')
  await eventually(async () => assert.deepEqual(await titles(api, 'مدرسه'), ['مدرسة أحمد']))
  await eventually(() => withDatabase(data, assertNoneIsBuilt))
  assert.match(notesOf(server).at(-1) ?? '', /every name has been read/)
  assert.ok(notesOf(server).some((note) => /\d+% so far/.test(note)))
  assert.equal((await titles(api, 'احمد')).length, 6)
  await server.stop()
  const { ok, detail } = await searchFinding(data)
  assert.deepEqual([ok, detail], [true, 'every name is found by it'])
  const again = await serve(t, data)
  assert.equal(await again.stop(), 0)
  assert.deepEqual(notesOf(again), [], 'a second start has nothing to do')
})

test('a database of version 1 is searchable soon after the server has started', async (t) => {
  const data = temporaryFolder(t)
  versionOne(data, 'خطة أحمد')
  const words = '--company 1 --creator sara@x.example --name K --preset write'.split(' ')
  const made = await majlis(['key', 'create', ...words, '--data', data, '--json'])
  const server = await serve(t, data)
  const api = client(server.baseUrl, made.json.key)
  await eventually(async () => assert.deepEqual(await titles(api, 'احمد'), ['خطة أحمد']))
  await eventually(() => assert.match(notesOf(server).join(), /Search: .*every name/))
  await eventually(() => withDatabase(data, assertNoneIsBuilt))
  assert.equal((await majlis(['check', '--data', data])).code, 0)
})

test('without a folder there is one clear sentence, and nothing is begun', async (t) => {
  const data = join(temporaryFolder(t), 'nowhere')
  const { code, stdout, stderr } = await majlis(['search', 'reindex', '--data', data, '--json'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(stderr.trimEnd().split('\n').length, 1)
  assert.ok(stderr.includes(data), stderr)
  assert.equal(existsSync(data), false)
})
