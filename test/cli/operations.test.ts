import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { client } from '../support/client.ts'
import { companyWithKey as company } from '../support/company.ts'
import { serve, temporaryFolder } from '../support/process.ts'
import { wire } from '../support/wire.ts'

test('the probes and the document need no key', async (t) => {
  const server = await serve(t, temporaryFolder(t))
  for (const [path, key, value] of [
    ['/healthz', 'status', 'ok'],
    ['/readyz', 'status', 'ready'],
    ['/openapi.json', 'openapi', '3.1.0'],
  ] as const) {
    const response = await fetch(server.url + path)
    assert.equal(response.status, 200)
    assert.equal(((await response.json()) as Record<string, unknown>)[key], value)
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.ok(response.headers.get('x-request-id'))
  }
})

test('one JSON log line a request goes to standard error, without the text of a key', async (t) => {
  const { data, key } = await company(t)
  const server = await serve(t, data)
  const api = client(server.baseUrl, key.key)
  const answer = await api.get('/projects?limit=3')
  await api.as(null).get('/me')
  await server.stop()
  const lines = server
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.match(lines.shift().message, /no antivirus/)
  assert.equal(lines.length, 2)
  const { time, duration_ms, ...rest } = lines[0]
  assert.match(time, /^\d{4}-\d\d-\d\dT.*Z$/)
  assert.equal(typeof duration_ms, 'number')
  assert.deepEqual(rest, {
    level: 'info',
    event: 'request',
    request_id: answer.headers.get('x-request-id'),
    method: 'GET',
    path: '/api/v1/projects',
    status: 200,
    key_id: key.id,
    company_id: 1,
    ip: '127.0.0.1',
  })
  assert.equal(lines[1].status, 401)
  assert.equal(lines[1].key_id, null)
  assert.equal(server.stderr().includes(key.key.slice(8)), false)
})

test('while another program holds the write lock, reads go on and writes wait for it', async (t) => {
  const { data, key } = await company(t)
  const server = await serve(t, data)
  const api = client(server.baseUrl, key.key)
  await api.get('/me')
  const other = new Database(join(data, 'majlis.db'))
  other.exec('begin immediate')
  let isWritten = false
  const write = api.post('/projects', { name: 'A' }).then((answer) => {
    isWritten = true
    return answer
  })
  const late = new Promise<never>((_, reject) =>
    setTimeout(reject, 3_000, new Error('reads wait for the lock too')).unref(),
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  const asked = Array.from({ length: 20 }, () => api.get('/projects'))
  const reads = await Promise.race([Promise.all(asked), late])
  assert.ok(reads.every(({ status }) => status === 200))
  assert.equal(isWritten, false)
  other.exec('commit')
  other.close()
  assert.equal((await write).status, 201)
})

test('on an address of both families every IPv4 caller is counted alone', async (t) => {
  const { data } = await company(t)
  const server = await serve(t, data, ['--host', '::', '--burst-per-ip', '1'])
  const { port } = new URL(server.url)
  const from = (localAddress: string) =>
    new Promise<number | undefined>((resolve, reject) =>
      get({ host: '127.0.0.1', port, path: '/api/v1/me', localAddress }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).on('error', reject),
    )
  assert.deepEqual([await from('127.0.0.2'), await from('127.0.0.3')], [401, 401])
  assert.equal(await from('127.0.0.2'), 429)
  await server.stop()
  assert.match(server.stderr(), /"ip":"127\.0\.0\.2"/)
})

test('SIGTERM at the very moment of the greeting ends it with 0', async (t) => {
  const server = await serve(t, temporaryFolder(t))
  assert.equal(await server.stop(), 0)
})

for (const how of ['stops reading', 'goes away']) {
  test(`a reader of the log who ${how} does not stop the server`, async (t) => {
    const { data, key } = await company(t, '--plan', 'enterprise')
    const launcher = fileURLToPath(new URL('../../bin/majlis', import.meta.url))
    const limits = ['--burst-per-key', '0', '--burst-per-ip', '0']
    const words = [launcher, 'serve', '--port', '0', '--json', '--data', data, ...limits]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
    t.after(() => child.kill('SIGKILL'))
    const greeting = await new Promise<string>((resolve) => child.stdout.once('data', resolve))
    const api = client(JSON.parse(greeting).base_url, key.key)
    for (let i = 0; i < 800; i++) assert.equal((await api.get('/me')).status, 200)
    if (how === 'goes away') {
      child.stderr.destroy()
      for (let i = 0; i < 50; i++) assert.equal((await api.get('/me')).status, 200)
    }
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = await exit
    child.stderr.destroy()
    assert.equal(code, 0)
  })
}

/** In a process of its own: a throw inside the test's would be caught by the test runner. */
for (const http of ['uws', 'node']) {
  for (const [how, header, chunk, end] of [
    ['of a declared length', 'Content-Length: 73400320', 'x'.repeat(65_536), ''],
    ['in chunks', 'Transfer-Encoding: chunked', `10000\r\n${'x'.repeat(65_536)}\r\n`, '0\r\n\r\n'],
  ] as const) {
    test(`${http}: seventy megabytes without a key, ${how}, end nothing but their connection`, async (t) => {
      const server = await serve(t, temporaryFolder(t), ['--http', http])
      const line = wire(server.url)
      line.write(`POST /api/v1/projects HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
      for (let i = 0; i < 1_120 && !line.socket.destroyed; i++) {
        if (line.socket.write(chunk)) continue
        const drained = new Promise((resolve) => line.socket.once('drain', resolve))
        await Promise.race([drained, line.closed()])
      }
      if (!line.socket.destroyed) line.write(end)
      const [answer] = await line.responses(1)
      assert.ok(answer === undefined || answer.status === 401)
      line.socket.destroy()
      await new Promise((resolve) => setTimeout(resolve, 200))
      assert.equal((await fetch(`${server.url}/healthz`)).status, 200, 'the server goes on')
      assert.equal(await server.stop(), 0)
    })
  }
}
