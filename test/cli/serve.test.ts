import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from '../support/client.ts'
import { companyWithKey as company } from '../support/company.ts'
import { majlis, serve } from '../support/process.ts'
import { wire } from '../support/wire.ts'

/** Waits for what the contract promises within a second, and a little for the machine. */
async function soon(check: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 1_500
  while (Date.now() < end) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail('not within a second')
}

test('the first line of serve --json names url and base_url, and SIGTERM ends it with 0', async (t) => {
  const { data, key } = await company(t)
  const server = await serve(t, data)
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.deepEqual(server.greeting, { url: server.url, base_url: `${server.url}/api/v1` })
  assert.equal((await client(server.baseUrl, key.key).get('/me')).status, 200)
  assert.equal(await server.stop(), 0)
})

test('what the command changes reaches a running server within a second', async (t) => {
  const { data, run, key } = await company(t)
  const server = await serve(t, data)
  const api = client(server.baseUrl, key.key)
  assert.equal((await api.get('/me')).status, 200)
  await run('company', 'set', '1', '--read-only')
  await soon(async () => (await api.post('/projects', { name: 'A' })).status === 403)
  await run('company', 'set', '1', '--no-read-only', '--daily-limit', '5000')
  await soon(async () => (await api.get('/me')).headers.get('x-ratelimit-limit') === '5000')
  await run('company', 'set', '1', '--rest-api', 'off')
  await soon(async () => (await api.get('/me')).status === 404)
  await run('company', 'set', '1', '--rest-api', 'on', '--plan', 'free')
  await soon(async () => (await api.get('/me')).code === 'plan_upgrade_required')
  await run('company', 'set', '1', '--plan', 'enterprise')
  const rotated = await run('key', 'rotate', String(key.id))
  await soon(async () => (await api.get('/me')).status === 401)
  assert.equal((await api.as(rotated.key).get('/me')).status, 200)
  await run('key', 'revoke', String(key.id))
  await soon(async () => (await api.as(rotated.key).get('/me')).status === 401)
  const fresh = await run(
    'key',
    'create',
    '--company',
    '1',
    '--creator',
    'sara@x.example',
    '--name',
    'N',
    '--preset',
    'write',
  )
  assert.equal((await api.as(fresh.key).get('/me')).status, 200)
})

test('members and restored projects of the command are seen by a running server', async (t) => {
  const { data, run } = await company(t)
  const words = [
    '--company',
    '1',
    '--creator',
    'sara@x.example',
    '--name',
    'D',
    '--preset',
    'write',
  ]
  const deleter = await run(
    'key',
    'create',
    ...words,
    '--operations',
    'projects:destructive',
    '--rights',
    'delete_any_project',
  )
  const server = await serve(t, data)
  const api = client(server.baseUrl, deleter.key)
  const project = (await api.post('/projects', { name: 'Plan' })).data
  await run('user', 'create', '--company', '1', '--name', 'Ali', '--email', 'ali@x.example')
  await run('member', 'add', '--company', '1', '--project', 'plan', '--email', 'ALI@x.example')
  assert.equal((await api.get('/projects/plan/members')).data.length, 2)
  await run(
    'member',
    'remove',
    '--company',
    '1',
    '--project',
    project.id,
    '--email',
    'ali@x.example',
  )
  assert.equal((await api.get('/projects/plan/members')).data.length, 1)
  assert.equal((await api.delete('/projects/plan')).status, 200)
  const restored = await run('project', 'restore', project.id)
  assert.deepEqual(restored, {
    restored: true,
    project: { name: 'Plan', id: project.id, slug: 'plan' },
  })
  assert.equal((await api.get('/projects/plan')).status, 200)
})

test('audit list shows denied calls with key, operation, method, path, status, address and request', async (t) => {
  const { data, run, key } = await company(t)
  const server = await serve(t, data)
  const api = client(server.baseUrl, key.key)
  const denied = await api.delete('/projects/none?x=1')
  assert.equal(denied.status, 403)
  const made = await api.post('/projects', { name: 'A' })
  const rows = await run('audit', 'list', '--company', '1', '--outcome', 'denied')
  assert.equal(rows.length, 1)
  const { id, at, ...row } = rows[0]
  assert.equal(typeof id, 'number')
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.deepEqual(row, {
    outcome: 'denied',
    operation: 'projects:destructive',
    method: 'DELETE',
    path: '/api/v1/projects/none',
    status: 403,
    ip: '127.0.0.1',
    key_id: key.id,
    key_name: 'K',
    request_id: denied.headers.get('x-request-id'),
  })
  const all = await run('audit', 'list', '--company', '1')
  assert.equal(all[0].operation, 'projects:write')
  assert.equal(all[0].outcome, 'allowed')
  assert.equal(all[0].status, 201)
  assert.equal(all[0].request_id, made.headers.get('x-request-id'))
})

test('a graceful restart loses nothing of the day, and kill -9 at most the last second', async (t) => {
  const { data, key } = await company(t)
  const left = async (baseUrl: string) =>
    Number((await client(baseUrl, key.key).get('/me')).headers.get('x-ratelimit-remaining'))
  const first = await serve(t, data)
  for (let i = 0; i < 20; i++) await left(first.baseUrl)
  assert.equal(await first.stop(), 0)
  const second = await serve(t, data)
  assert.equal(await left(second.baseUrl), 979)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await second.stop('SIGKILL')
  const third = await serve(t, data)
  assert.equal(await left(third.baseUrl), 978)
})

test('an answered write survives kill -9', async (t) => {
  const { data, key } = await company(t, '--plan', 'enterprise')
  const server = await serve(t, data, ['--burst-per-key', '0', '--burst-per-ip', '0'])
  const api = client(server.baseUrl, key.key)
  const answered: string[] = []
  const writers = Array.from({ length: 8 }, async () => {
    for (;;) {
      const made = await api.post('/projects', { name: 'P' }).catch(() => null)
      if (made === null) return
      answered.push(made.data.id)
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 400))
  await server.stop('SIGKILL')
  await Promise.all(writers)
  assert.ok(answered.length > 20, `${answered.length} writes`)
  const again = await serve(t, data, ['--burst-per-key', '0', '--burst-per-ip', '0'])
  const reader = client(again.baseUrl, key.key)
  for (const id of answered) assert.equal((await reader.get(`/projects/${id}`)).status, 200)
  assert.equal((await majlis(['check', '--data', data, '--json'])).json.ok, true)
})

for (const http of ['uws', 'node']) {
  test(`${http}: SIGTERM answers what was accepted, then closes`, async (t) => {
    const { data, key } = await company(t)
    const server = await serve(t, data, ['--http', http])
    const api = client(server.baseUrl, key.key)
    await api.get('/me')
    const line = wire(server.url)
    const body = JSON.stringify({ name: 'Late' })
    line.write(
      `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.key}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    const exit = server.stop()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const newcomer = wire(server.url)
    newcomer.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.deepEqual(await newcomer.responses(1), [], 'no new connection is taken')
    line.write(body)
    const [answer] = await line.responses(1)
    assert.equal(answer?.status, 201)
    const answeredAt = Date.now()
    assert.equal(await exit, 0)
    assert.ok(Date.now() - answeredAt < 5_000, 'an open connection is not waited for')
  })
}
