import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { boot } from '../support/boot.ts'
import { assertInvalid } from '../support/client.ts'
import { wire } from '../support/wire.ts'

/** Both transports pass the same tests of the socket. */
for (const http of ['uws', 'node'] as const) {
  const on = (title: string, body: (t: TestContext) => Promise<void>) =>
    test(`${http}: ${title}`, body)

  on('a project is made, read and changed', async (t) => {
    const { api } = await boot(t, { http })
    const made = await api.post('/projects', { name: 'إطلاق المتجر 🚀' })
    assert.equal(made.status, 201)
    const read = await api.get(`/projects/${encodeURIComponent('إطلاق-المتجر')}`)
    assert.deepEqual(read.data, made.data)
    assert.equal((await api.patch(`/projects/${made.data.id}`, { name: 'B' })).data.name, 'B')
  })

  on('no header tells which server it is', async (t) => {
    const { api } = await boot(t, { http })
    const { headers } = await api.get('/me')
    for (const name of ['server', 'uwebsockets', 'x-powered-by'])
      assert.equal(headers.get(name), null)
  })

  on('every response has an X-Request-Id of its own', async (t) => {
    const { api } = await boot(t, { http })
    const ids = [await api.get('/me'), await api.get('/me'), await api.as(null).get('/me')]
    assert.equal(new Set(ids.map(({ headers }) => headers.get('x-request-id'))).size, 3)
  })

  on('several requests on one connection are answered in their order', async (t) => {
    const { majlis } = await boot(t, { http })
    const key = await majlis.key()
    const line = wire(majlis.url)
    const get = (path: string) =>
      `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    line.write(get('/me'))
    await line.responses(1)
    line.write(get('/projects') + get('/nowhere') + get('/me'))
    const answers = await line.responses(4)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 404, 200],
    )
    line.socket.destroy()
  })

  on('a body in chunks is read whole, also cut inside a letter', async (t) => {
    const { majlis, api } = await boot(t, { http })
    const key = await majlis.key()
    await api.as(key).get('/me')
    const line = wire(majlis.url)
    const body = Buffer.from(JSON.stringify({ name: 'مرحبا' }))
    line.write(
      `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    for (const byte of body) {
      line.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]))
    }
    line.write('0\r\n\r\n')
    const [answer] = await line.responses(1)
    assert.equal(answer?.status, 201)
    assert.equal((await api.get('/projects')).data[0].name, 'مرحبا')
    line.socket.destroy()
  })

  on('a body that arrives while the key is still being verified is read whole', async (t) => {
    const { majlis, api } = await boot(t, { http })
    const key = await majlis.key()
    const description = 'x'.repeat(60_000)
    const made = await api.as(key).post('/projects', { name: 'A', description })
    assert.equal(made.data.description, description)
  })

  on('a refused upload is answered at once, and the connection goes on', async (t) => {
    const { majlis } = await boot(t, { http })
    const line = wire(majlis.url)
    line.write(
      `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(1000)}`,
    )
    const [refused] = await line.responses(1)
    assert.equal(refused?.status, 401)
    line.write('x'.repeat(199_000))
    line.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    const [, healthy] = await line.responses(2)
    assert.equal(healthy?.status, 200)
    line.socket.destroy()
  })

  on('a body over the cap is 422, and changes nothing', async (t) => {
    const { api } = await boot(t, { http })
    const answer = await api.post('/projects', { name: 'A', junk: 'x'.repeat(1024 * 1024) })
    assertInvalid(answer, 'body')
    assert.equal((await api.get('/projects')).body.meta.total, 0)
  })

  on('a body of exactly the cap is taken', async (t) => {
    const { api } = await boot(t, { http })
    const start = '{"name":"A","junk":"'
    const body = `${start}${'x'.repeat(1024 * 1024 - start.length - 2)}"}`
    assert.equal((await api.post('/projects', body)).status, 201)
    assertInvalid(await api.post('/projects', `${body} `), 'body')
  })

  on('a GET with a body is answered as if it had none', async (t) => {
    const { majlis, api } = await boot(t, { http })
    const key = await majlis.key()
    await api.as(key).get('/me')
    const line = wire(majlis.url)
    const head = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
    line.write(`${head}Content-Length: 5\r\n\r\nhello${head}\r\n`)
    const answers = await line.responses(2)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    line.socket.destroy()
  })

  on('HEAD on a probe is answered without a body, and the connection goes on', async (t) => {
    const { majlis } = await boot(t, { http })
    const line = wire(majlis.url)
    line.write('HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await line.until((text) => text.endsWith('\r\n\r\n'))
    line.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    const text = await line.until((received) => received.endsWith('}'))
    assert.match(
      text,
      /^HTTP\/1\.1 200[^{}]*Content-Length: 15[^{}]*HTTP\/1\.1 200[^{}]*\{"status":"ok"\}$/i,
    )
    line.socket.destroy()
  })

  const broken: [what: string, headers: string][] = [
    ['two lengths that differ', 'Content-Length: 2\r\nContent-Length: 20\r\n'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'],
    ['an unknown transfer encoding', 'Transfer-Encoding: xchunked\r\n'],
    ['identity as a transfer encoding', 'Transfer-Encoding: identity\r\n'],
    ['two Authorization headers', 'Authorization: Bearer a\r\nContent-Length: 2\r\n'],
    ['two Host headers', 'Host: y\r\nContent-Length: 2\r\n'],
  ]

  for (const [what, headers] of broken) {
    on(`${what}: the connection is closed and nothing is done`, async (t) => {
      const { majlis, api } = await boot(t, { http })
      const key = await majlis.key()
      await api.as(key).get('/me')
      const line = wire(majlis.url)
      line.write(
        `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n{"name":"smuggled"}`,
      )
      const text = await line.closed()
      assert.doesNotMatch(text, /x-request-id/i, 'the request never reached the house')
      assert.equal((await api.get('/projects')).body.meta.total, 0)
    })
  }

  on('a method is case-sensitive: delete is not DELETE', async (t) => {
    const { majlis, api } = await boot(t, { http })
    const { id } = majlis.seed.project()
    const key = await majlis.key({
      scope: 'write',
      operations: ['projects:destructive'],
      rights: ['delete_any_project'],
    })
    await api.as(key).get('/me')
    const line = wire(majlis.url)
    line.write(
      `delete /api/v1/projects/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    )
    const [answer] = await line.responses(1)
    assert.ok(answer === undefined || answer.status === 404)
    assert.equal((await api.get(`/projects/${id}`)).status, 200)
    line.socket.destroy()
  })

  on('a client that goes away in the middle of a body leaves nothing behind', async (t) => {
    const { majlis, api } = await boot(t, { http })
    const key = await majlis.key()
    await api.as(key).get('/me')
    const line = wire(majlis.url)
    line.write(
      `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n{"name":"half`,
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    line.socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal((await api.get('/projects')).body.meta.total, 0)
  })

  on('an address of a thousand Arabic letters fits', async (t) => {
    const { api } = await boot(t, { http })
    const answer = await api.get(`/projects/${encodeURIComponent('م'.repeat(1000))}`)
    assert.equal(`${answer.status} ${answer.code}`, '404 not_found')
  })

  on('the content type of the request is not looked at', async (t) => {
    const { api } = await boot(t, { http })
    const form = api.with({ 'content-type': 'application/x-www-form-urlencoded' })
    assert.equal((await form.post('/projects', { name: 'A' })).status, 201)
  })
}

test('node: a request line that names the host too is answered by its path', async (t) => {
  const { majlis } = await boot(t, { http: 'node' })
  const line = wire(majlis.url)
  line.write(`GET ${majlis.url}/api/v1/me?x=1 HTTP/1.1\r\nHost: x\r\n\r\n`)
  line.write('GET HTTP://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  const [first, second] = await line.responses(2)
  assert.deepEqual([first?.status, second?.status], [401, 200])
  line.socket.destroy()
})
