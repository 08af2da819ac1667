import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALENDAR, failureOf, HREF, httpPeer, PASSWORD, TEXT, USERNAME } from './peer.ts'

const BASIC = `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`

for (const status of [301, 302, 307, 308]) {
  test(`a ${status} inside of the same server is followed with method, body and password`, async (t) => {
    const peer = await httpPeer(t, ({ url }, response) => {
      if (url.startsWith('/amina/')) response.writeHead(status, { location: `/dav${url}#x` }).end()
      else response.writeHead(201, { etag: '"1"' }).end()
    })
    assert.deepEqual(await peer.client.put(HREF, TEXT, null), { kind: 'kept', etag: '"1"' })
    assert.deepEqual(
      peer.seen.map(({ method, url, body, headers }) => [
        method,
        url,
        body,
        headers.authorization,
        headers['if-none-match'],
      ]),
      ['/amina', '/dav/amina'].map((start) => ['PUT', `${start}/events/${HREF}`, TEXT, BASIC, '*']),
    )
  })
}

test('a redirect to the same server by its full address is followed', async (t) => {
  const peer = await httpPeer(t, ({ url, headers }, response) => {
    if (url === '/dav/') response.writeHead(207).end(CALENDAR)
    else response.writeHead(301, { location: `http://${headers.host}/dav/` }).end()
  })
  assert.deepEqual(await peer.client.probe(), { name: 'Team' })
})

for (const [name, location, message] of [
  [
    'another host',
    'http://elsewhere.example/x/',
    /redirects to "http:\/\/elsewhere\.example", where the password does not go/,
  ],
  ['another port', 'http://127.0.0.1:1/amina/events/', /redirects to "http:\/\/127\.0\.0\.1:1"/],
  [
    'another name of the same host',
    'http://localhost:PORT/amina/events/',
    /"http:\/\/localhost:\d+"/,
  ],
  ['another host without a scheme', '//elsewhere.example/', /"http:\/\/elsewhere\.example"/],
  ['https on another port', 'https://127.0.0.1:1/amina/events/', /"https:\/\/127\.0\.0\.1:1"/],
  ['a user', 'http://amina@127.0.0.1:PORT/amina/events/', /redirects to/],
  ['a file', 'file:///etc/passwd', /redirects to "file:\/\/"/],
  ['a script', 'javascript:alert(1)', /redirects to/],
  ['the metadata', 'http://169.254.169.254/', /"http:\/\/169\.254\.169\.254"/],
  ['a name as long as an answer', `http://${'a'.repeat(5000)}/`, /redirects to "http:\/\/a{93}…"/],
  ['the password', `http://${PASSWORD}.example/`, /redirects to another server, where/],
  ['no address', 'http://[', /answers with a redirect that names no address/],
  ['a login', '/login', /redirects to another page, perhaps to its login/],
] as const) {
  test(`a redirect to ${name} is not followed`, async (t) => {
    const peer = await httpPeer(t, (_, response) =>
      response.writeHead(302, { location: location.replace('PORT', String(peer.port)) }).end(),
    )
    const failure = await failureOf(peer.client.probe())
    assert.match(failure.message, message)
    assert.ok(failure.message.includes(`The calendar server at 127.0.0.1:${peer.port} `))
    assert.equal(failure.isPermanent, false)
    assert.equal(peer.seen.length, 1)
  })
}

test('a redirect without a location is a failure', async (t) => {
  const peer = await httpPeer(t, (_, response) => response.writeHead(302).end())
  assert.match((await failureOf(peer.client.probe())).message, /a redirect that names no address/)
})

test('a page to see instead is not taken for what was asked', async (t) => {
  const peer = await httpPeer(t, ({ url }, response) =>
    response.writeHead(303, { location: url }).end(),
  )
  assert.match((await failureOf(peer.client.probe())).message, /redirects to another page/)
  assert.equal(peer.seen.length, 1)
})

test('an event is not put into a login page that takes everything', async (t) => {
  const peer = await httpPeer(t, ({ url }, response) => {
    if (url.startsWith('/login')) response.writeHead(200, { etag: '"1"' }).end()
    else response.writeHead(302, { location: `/login?next=${url}` }).end()
  })
  assert.match((await failureOf(peer.client.put(HREF, TEXT, null))).message, /perhaps to its login/)
  assert.match((await failureOf(peer.client.remove(HREF, null))).message, /perhaps to its login/)
  assert.deepEqual(
    peer.seen.map(({ method }) => method),
    ['PUT', 'DELETE'],
  )
})

test('three redirects are followed, and a fourth is not', async (t) => {
  for (const redirects of [3, 4]) {
    const peer = await httpPeer(t, (_, response) => {
      if (peer.seen.length > redirects) response.writeHead(207).end(CALENDAR)
      else response.writeHead(308, { location: `/${peer.seen.length}/` }).end()
    })
    if (redirects === 3) assert.deepEqual(await peer.client.probe(), { name: 'Team' })
    else assert.match((await failureOf(peer.client.probe())).message, /redirects in circles/)
    assert.equal(peer.seen.length, 4)
    await peer.closed()
  }
})
