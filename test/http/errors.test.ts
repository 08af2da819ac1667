import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'

test('an unknown endpoint echoes its path as requested, and so does a wrong method', async (t) => {
  const { api } = await boot(t)
  for (const [method, path] of [
    ['GET', '/task-lists'],
    ['PUT', '/projects'],
    ['DELETE', '/me'],
    ['POST', '/me'],
    ['PATCH', '/projects'],
    ['OPTIONS', '/projects'],
    ['GET', '/projects/'],
    ['GET', ''],
    ['GET', '/'],
    ['GET', '/projects/a/b/c'],
    ['GET', '/%D9%85/x'],
  ] as const) {
    const answer = await api.send(method, path)
    assertRefused(answer, 404, 'unknown_endpoint')
    assert.deepEqual(Object.keys(answer.body.error), ['code', 'message', 'path'])
    assert.equal(answer.body.error.path, `/api/v1${path}`)
  }
})

test('the query is not part of the echoed path', async (t) => {
  const { api } = await boot(t)
  assert.equal((await api.get('/nowhere?x=1')).body.error.path, '/api/v1/nowhere')
})

test('a path outside the base address needs no key to be unknown', async (t) => {
  const { majlis } = await boot(t)
  for (const path of ['/', '/api', '/api/v2/me', '/api/v1x']) {
    const response = await fetch(majlis.url + path)
    assert.equal(response.status, 404)
    const body = (await response.json()) as { error: { code: string; path: string } }
    assert.equal(body.error.code, 'unknown_endpoint')
    assert.equal(body.error.path, path)
  }
})

test('a path segment that cannot be decoded is 404 not_found', async (t) => {
  const { api } = await boot(t)
  for (const segment of ['%zz', '%', '%E0%A4', '%FF']) {
    assertRefused(await api.get(`/projects/${segment}`), 404, 'not_found')
  }
})

const badBodies: [body: string, why: string][] = [
  ['', 'nothing'],
  ['{', 'cut off'],
  ['name=A', 'no JSON'],
  ['[]', 'a list'],
  ['[{"name":"A"}]', 'a list'],
  ['null', 'null'],
  ['"A"', 'a string'],
  ['1', 'a number'],
  ["{'name':'A'}", 'single quotes'],
  ['{"name":"A"} x', 'something behind it'],
  [`{"name":${'['.repeat(1000)}${']'.repeat(1000)}}`, 'a thousand deep'],
  ['['.repeat(1_000_000), 'a million deep'],
]

for (const [body, why] of badBodies) {
  test(`a body that is no JSON object is 422: ${why}`, async (t) => {
    const { api } = await boot(t)
    assertInvalid(await api.post('/projects', body), 'body')
  })
}

test('a body that is no UTF-8 is 422, and one with a byte order mark is read', async (t) => {
  const { majlis } = await boot(t)
  const headers = { authorization: `Bearer ${await majlis.key()}` }
  const post = (body: Buffer) =>
    fetch(`${majlis.baseUrl}/projects`, { method: 'POST', headers, body: new Uint8Array(body) })
  const windows1256 = Buffer.from([
    0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xe3, 0xcd, 0x22, 0x7d,
  ])
  assert.equal((await post(windows1256)).status, 422)
  assert.equal((await post(Buffer.from('\ufeff{"name":"A"}'))).status, 201)
})

test('a body over the cap is 422 also where no body is wanted', async (t) => {
  const { majlis, api } = await boot(t)
  const { id } = majlis.seed.project()
  assertInvalid(await api.post(`/projects/${id}/archive`, 'x'.repeat(2 ** 20 + 1)), 'body')
  assert.equal((await api.get(`/projects/${id}`)).data.archived, false)
  assert.equal((await api.post(`/projects/${id}/archive`, 'no JSON')).status, 200)
})

test('brackets inside a string are no depth', async (t) => {
  const { api } = await boot(t)
  const description = `${'['.repeat(500)}\\"${'{'.repeat(500)}\\`
  const answer = await api.post('/projects', { name: 'A', description })
  assert.equal(answer.data.description, description)
})

test('a body wrapped in a parent key fails on a field that looks sent', async (t) => {
  const { api } = await boot(t)
  assertInvalid(await api.post('/projects', { project: { name: 'A' } }), 'name')
})

test('unknown and misspelled fields are dropped silently, also dangerous ones', async (t) => {
  const { api } = await boot(t)
  const body =
    '{"name":"A","nmae":"B","id":"prj-0000000000","__proto__":{"is_public":true},"constructor":1}'
  const answer = await api.post('/projects', body)
  assert.equal(answer.status, 201)
  assert.equal(answer.data.is_public, false)
  assert.notEqual(answer.data.id, 'prj-0000000000')
})

test('an unexpected fault is 500 internal_error and tells nothing of the inside', async (t) => {
  let log = ''
  const { majlis, api } = await boot(t, {
    storage: 'folder',
    log: (lines) => {
      log += lines
    },
  })
  const { default: Database } = await import('better-sqlite3')
  const db = new Database(`${majlis.folder}/majlis.db`)
  db.pragma('foreign_keys = off')
  db.exec('drop table project_slugs')
  db.close()
  const answer = await api.post('/projects', { name: 'A' })
  assertRefused(answer, 500, 'internal_error')
  assert.doesNotMatch(answer.text, /sqlite|table|slug/i)
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.match(log, /"event":"fault".*project_slugs/)
  assert.ok(log.includes(answer.headers.get('x-request-id') ?? '?'))
})

test('a lost race for a unique value is 409 conflict, and safe to retry', async () => {
  const { projectStore } = await import('../../src/resources/projects/store.ts')
  const { createDispatch } = await import('../../src/http/dispatch.ts')
  const { created } = await import('../../src/http/reply.ts')
  const { openInMemory } = await import('../../src/db/open.ts')
  const { groupCommit } = await import('../../src/db/commit.ts')
  const db = openInMemory()
  db.exec(`
    insert into companies (id, name, time_zone, plan, created_at, updated_at)
      values (1, 'C', 'UTC', 'advanced', 0, 0);
    insert into users (id, company_id, name, email, email_key, role, created_at)
      values (1, 1, 'U', 'u@x', 'u@x', 'owner', 0)`)
  // A dice that always falls on the same side mints the same ref twice.
  const projects = projectStore(db, () => 0)
  const fields = { description: '', is_public: false, start_date: null, end_date: null }
  const create = () =>
    created(projects.create({ ...fields, name: 'A', companyId: 1, creatorId: 1, now: 0 }))
  const route = { method: 'POST', operation: 'projects:write', query: {}, handle: create }
  const sent: [number, string][] = []
  const dispatch = createDispatch({
    gates: {
      ofHead: [
        (call) => {
          call.route = route as never
          call.key = { id: 1, company: { id: 1, allowance: null } } as never
          call.allowance = { limit: null, remaining: null, resetsAt: null }
        },
      ],
      ofRecord: [],
      ofInput: [],
    },
    stores: {},
    ports: {},
    commit: groupCommit(db),
    now: () => 0,
    nextRequestId: () => 'id',
    wakeWorkers() {},
    peekAllowance: () => ({ limit: null, remaining: null, resetsAt: null }),
    audit() {},
    logRequest() {},
    logFault(_, error) {
      throw error
    },
  })
  const head = {
    method: 'POST',
    path: '/',
    query: '',
    authorization: '',
    ip: '',
    hasBody: false,
    bodyLength: 0,
  }
  for (let i = 0; i < 2; i++) {
    await new Promise<void>((resolve) => {
      dispatch({
        head,
        readBody: (_, done) => done(Buffer.alloc(0)),
        whenOver() {},
        sendBytes: () => assert.fail(),
        send(status, _, body) {
          sent.push([status, body])
          resolve()
        },
      })
    })
  }
  assert.equal(sent[1]?.[0], 409)
  assert.equal(JSON.parse(sent[1]?.[1] ?? '').error.code, 'conflict')
  assert.equal(db.prepare('select count(*) from projects').pluck().get(), 1)
  assert.equal(db.prepare('select projects_count from companies').pluck().get(), 1)
})
