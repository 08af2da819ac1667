import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/db/open.ts'
import { client } from '../support/client.ts'
import { companyWithKey as company } from '../support/company.ts'
import { majlis, serve, temporaryFolder } from '../support/process.ts'

test('settings come from the environment too, and flags win', async (t) => {
  const { data, key } = await company(t)
  const server = await serve(t, data, [], { MAJLIS_BURST_PER_KEY: '2', MAJLIS_LOG: 'off' })
  const api = client(server.baseUrl, key.key)
  await api.get('/me')
  await api.get('/me')
  assert.equal((await api.get('/me')).status, 429)
  assert.equal(server.stderr(), '')
  await server.stop()
  const other = await serve(t, data, ['--burst-per-key', '0'], { MAJLIS_BURST_PER_KEY: '1' })
  const again = client(other.baseUrl, key.key)
  for (let i = 0; i < 4; i++) assert.equal((await again.get('/me')).status, 200)
  const wrong = await majlis(['serve'], { env: { MAJLIS_PORT: 'http' } })
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /MAJLIS_PORT must be a whole number/)
})

test('--demo fills an empty folder, and its key and curl line work; a second start adds a key', async (t) => {
  const data = join(temporaryFolder(t), 'data')
  const server = await serve(t, data, ['--demo'])
  const { key } = server.greeting.demo as { key: string }
  const { data: projects } = await client(server.baseUrl, key).get('/projects')
  assert.equal(projects.length, 3)
  assert.ok(projects.some(({ name }: { name: string }) => /[\u0600-\u06ff]/.test(name)))
  assert.ok(projects.some(({ name }: { name: string }) => /[a-z]/.test(name)))
  await server.stop()
  const again = await serve(t, data, ['--demo'])
  const api = client(again.baseUrl, (again.greeting.demo as { key: string }).key)
  assert.equal((await api.get('/projects')).body.meta.total, 3)
  assert.equal((await api.as(key).get('/projects')).status, 200, 'the first key still works')
})

test('--demo never touches the companies of others', async (t) => {
  const { data } = await company(t)
  const { code, stderr } = await majlis(['serve', '--demo', '--port', '0', '--data', data])
  assert.equal(code, 1)
  assert.match(stderr, /already has companies/)
})

test('a port in use, a second server and bad folders are one sentence and exit 1, and leave nothing behind', async (t) => {
  const { data } = await company(t)
  const server = await serve(t, data)
  const failing = async (...words: string[]) => {
    const { code, stdout, stderr } = await majlis(['serve', ...words])
    assert.equal(code, 1, stderr)
    assert.equal(stdout, '')
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
    return stderr
  }
  assert.match(await failing('--port', '0', '--data', data), /Another Majlis server is running/)

  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const port = String((taken.address() as AddressInfo).port)
  const fresh = join(temporaryFolder(t), 'fresh')
  for (const http of ['uws', 'node']) {
    assert.match(
      await failing('--port', port, '--data', fresh, '--http', http),
      /is in use.*--port/,
    )
    assert.equal(existsSync(fresh), false, 'no folder was made')
  }
  assert.match(
    await failing('--port', '0', '--host', '203.0.113.1', '--data', fresh),
    /no address of this machine.*--host/,
  )

  const file = join(temporaryFolder(t), 'file')
  writeFileSync(file, '')
  assert.match(await failing('--port', '0', '--data', file), /cannot be written to.*--data/)

  const damaged = temporaryFolder(t)
  writeFileSync(join(damaged, 'majlis.db'), 'no database '.repeat(500))
  assert.match(await failing('--port', '0', '--data', damaged), /damaged/)

  const newer = temporaryFolder(t)
  mkdirSync(newer, { recursive: true })
  const db = openDatabase(join(newer, 'majlis.db'))
  db.pragma('user_version = 99')
  db.close()
  assert.match(await failing('--port', '0', '--data', newer), /newer Majlis/)
  assert.equal((await server.stop()) ?? 0, 0)
  assert.ok(readdirSync(data).includes('majlis.db'))
})

test('two servers share a port silently on neither transport', async (t) => {
  const first = await serve(t, temporaryFolder(t))
  const port = new URL(first.url).port
  const { code, stderr } = await majlis(['serve', '--port', port, '--data', temporaryFolder(t)])
  assert.equal(code, 1)
  assert.match(stderr, /is in use/)
})
