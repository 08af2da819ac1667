import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caldavClient } from '../../src/caldav/client.ts'
import {
  CALENDAR,
  failureOf,
  HREF,
  httpPeer,
  multistatus,
  PASSWORD,
  TEXT,
  USERNAME,
} from './peer.ts'

const condition = (name: string) =>
  `<?xml version="1.0"?><D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><C:${name}/></D:error>`

for (const [status, body, isPermanent, message] of [
  [401, '', true, /refuses the user name or the password \(401\): connect the calendar again/],
  [403, '', true, /does not let this user write to the calendar \(403\): grant the right there/],
  [403, condition('max-resource-size'), false, /refuses this event \(403, max-resource-size\)/],
  [409, condition('no-uid-conflict'), false, /already has this event under another name/],
  [409, '', false, /answers PUT with 409/],
  [400, '', false, /refuses what it was sent \(400\): look into its log/],
  [413, '', false, /refuses what it was sent \(413\)/],
  [429, '', false, /has too much to do/],
  [500, `<h1>${PASSWORD}</h1>`, false, /failed \(500\): look into its log\.$/],
  [502, '', false, /failed \(502\)/],
  [503, '', false, /is being serviced \(503\)/],
  [507, '', false, /has no room left for this user \(507\)/],
  [202, '', false, /answers PUT with 202/],
  [207, '', false, /answers PUT with 207/],
  [304, '', false, /answers PUT with 304/],
  [999, '', false, /failed \(999\)/],
] as const) {
  test(`${status} to an event is ${isPermanent ? 'permanent' : 'temporary'} ${body && 'with its reason'}`, async (t) => {
    const peer = await httpPeer(t, ({ method }, response) => {
      if (method === 'PROPFIND') response.writeHead(207).end(CALENDAR)
      else response.writeHead(status, `Says ${PASSWORD}`).end(body)
    })
    for (const etag of [null, '"1"']) {
      const failure = await failureOf(peer.client.put(HREF, TEXT, etag))
      assert.match(failure.message, message)
      assert.ok(failure.message.includes(`127.0.0.1:${peer.port}`))
      assert.equal(failure.isPermanent, isPermanent)
    }
    await peer.closed()
  })
}

for (const [name, status, body, isPermanent, message] of [
  ['a missing page', 404, '', true, /^There is no calendar at http:.*\/amina\/events\/ \(404\)/],
  ['a server without WebDAV', 405, '', true, /There is no calendar at/],
  ['a web page', 200, '<html></html>', false, /answers PROPFIND with 200: .* names a CalDAV/],
  ['an empty multistatus', 207, '', false, /PROPFIND with something that is no WebDAV/],
  ['other XML', 207, '<a xmlns="DAV:"/>', false, /no WebDAV/],
  ['half a multistatus', 207, CALENDAR.slice(0, -5), false, /no WebDAV/],
  ['no UTF-8', 207, Buffer.from([0xff, 0xfe, 0x3c]), false, /text that is not UTF-8/],
  [
    'a folder',
    207,
    multistatus('<D:resourcetype><D:collection/></D:resourcetype>'),
    true,
    /no calendar at/,
  ],
  [
    'a calendar of another namespace',
    207,
    multistatus('<D:resourcetype><D:calendar/></D:resourcetype>'),
    true,
    /no calendar at/,
  ],
  [
    'a list of tasks',
    207,
    multistatus(
      '<D:resourcetype><C:calendar/></D:resourcetype><C:supported-calendar-component-set><C:comp name="VTODO"/></C:supported-calendar-component-set>',
    ),
    true,
    /takes no events, only tasks or notes/,
  ],
  [
    'a calendar that is missing',
    207,
    '<multistatus xmlns="DAV:"><response><status>HTTP/1.1 404 No</status></response></multistatus>',
    true,
    /no calendar at/,
  ],
] as const) {
  test(`${name} is no calendar`, async (t) => {
    const peer = await httpPeer(t, (_, response) => response.writeHead(status).end(body))
    const failure = await failureOf(peer.client.probe())
    assert.match(failure.message, message)
    assert.equal(failure.isPermanent, isPermanent)
  })
}

test('a calendar without a name has none, and a long or broken one is put right', async (t) => {
  const names = ['', '<D:displayname/>', `<D:displayname>a&#10;${'ب'.repeat(300)}</D:displayname>`]
  const peer = await httpPeer(t, (_, response) => {
    const type = '<D:resourcetype><C:calendar/></D:resourcetype>'
    response.writeHead(207).end(multistatus(type + names[peer.seen.length - 1]))
  })
  assert.deepEqual(await peer.client.probe(), { name: null })
  assert.deepEqual(await peer.client.probe(), { name: null })
  assert.deepEqual(await peer.client.probe(), { name: `a ${'ب'.repeat(253)}` })
})

for (const etag of [
  '"1"',
  'W/"weak"',
  'unquoted',
  '"odd \\" one',
  "'single'",
  '"caf\u00e9"',
  '""',
]) {
  test(`the etag ${etag} goes back as it came`, async (t) => {
    const peer = await httpPeer(t, (_, response) => response.writeHead(204, { etag }).end())
    assert.deepEqual(await peer.client.put(HREF, TEXT, null), { kind: 'kept', etag })
    await peer.client.put(HREF, TEXT, etag)
    await peer.client.remove(HREF, etag)
    assert.deepEqual(
      peer.seen.map(({ headers }) => [headers['if-none-match'], headers['if-match']]),
      [
        ['*', undefined],
        [undefined, etag],
        [undefined, etag],
      ],
    )
  })
}

for (const [name, headers, told, etag] of [
  ['no etag', {}, '<D:getetag>"2"</D:getetag>', '"2"'],
  ['an empty etag', { etag: '' }, '<D:getetag>W/"2"</D:getetag>', 'W/"2"'],
  ['an asterisk', { etag: '*' }, '<D:getetag>&quot;2&quot;</D:getetag>', '"2"'],
  ['none at all', {}, '', null],
  ['one that matches all', {}, '<D:getetag> * </D:getetag>', null],
  ['one that would break the header', {}, '<D:getetag>"a&#13;&#10;X-Evil: 1"</D:getetag>', null],
  ['one that no header can carry', {}, '<D:getetag>"مرحبا"</D:getetag>', null],
] as const) {
  test(`an answer with ${name} lets the calendar be asked for it`, async (t) => {
    const peer = await httpPeer(t, ({ method }, response) => {
      if (method === 'PROPFIND') response.writeHead(207).end(multistatus(told))
      else response.writeHead(200, headers).end(TEXT)
    })
    assert.deepEqual(await peer.client.put(HREF, TEXT, null), { kind: 'kept', etag })
    assert.deepEqual(await peer.client.get(HREF), { text: TEXT, etag })
    assert.deepEqual(
      peer.seen.map(({ method, headers: { depth } }) => [method, depth]),
      [
        ['PUT', undefined],
        ['PROPFIND', '0'],
        ['GET', undefined],
        ['PROPFIND', '0'],
      ],
    )
  })
}

test('an event that was kept and is not there is not taken for kept', async (t) => {
  const peer = await httpPeer(t, ({ method, url }, response) => {
    if (method === 'PUT') response.writeHead(200).end()
    else if (url.endsWith('.ics')) response.writeHead(404).end()
    else response.writeHead(207).end(CALENDAR)
  })
  const failure = await failureOf(peer.client.put(HREF, TEXT, null))
  assert.match(failure.message, /it has kept an event, and then does not have it/)
})

for (const [method, status] of [
  ['PUT', 404],
  ['PUT', 410],
  ['PUT', 412],
  ['DELETE', 404],
  ['DELETE', 410],
  ['DELETE', 412],
] as const) {
  test(`${status} to a ${method} of what is not there means that it is not, while the calendar is`, async (t) => {
    let isCalendarThere = true
    const peer = await httpPeer(t, (asked, response) => {
      if (asked.method === method) response.writeHead(status).end()
      else if (asked.url.endsWith('.ics') || !isCalendarThere) response.writeHead(404).end()
      else response.writeHead(207).end(CALENDAR)
    })
    const run = () =>
      method === 'PUT' ? peer.client.put(HREF, TEXT, '"1"') : peer.client.remove(HREF, '"1"')
    assert.deepEqual(await run(), method === 'PUT' ? { kind: 'gone' } : 'absent')
    isCalendarThere = false
    const failure = await failureOf(run())
    assert.match(failure.message, /There is no calendar at/)
    assert.equal(failure.isPermanent, true)
  })
}

test('what is not to be read as an event is none', async (t) => {
  const bodies = [
    '',
    '<html>',
    TEXT.slice(0, -8),
    Buffer.from('BEGIN:VCALENDAR\xff\nEND:VCALENDAR', 'latin1'),
  ]
  const peer = await httpPeer(t, (_, response) =>
    response.writeHead(200, { etag: '"1"' }).end(bodies[peer.seen.length - 1]),
  )
  for (const message of [/no whole event/, /no whole event/, /no whole event/, /not UTF-8/]) {
    assert.match((await failureOf(peer.client.get(HREF))).message, message)
  }
})

test('a compressed answer is not asked for and not taken', async (t) => {
  const peer = await httpPeer(t, (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  )
  assert.match((await failureOf(peer.client.get(HREF))).message, /compressed, though nobody asked/)
  assert.equal(peer.seen[0]?.headers['accept-encoding'], 'identity')
})

test('a request says what it has to, and the connection is closed', async (t) => {
  const peer = await httpPeer(t, (_, response) => response.writeHead(201, { etag: '"1"' }).end())
  await peer.client.put(HREF, 'BEGIN:مرحبا', null)
  await peer.closed()
  const [{ method, url, body, headers } = assert.fail()] = peer.seen
  assert.deepEqual([method, url, body], ['PUT', `/amina/events/${HREF}`, 'BEGIN:مرحبا'])
  assert.deepEqual(headers, {
    host: `127.0.0.1:${peer.port}`,
    connection: 'close',
    authorization: `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`,
    'accept-encoding': 'identity',
    'content-length': '16',
    'content-type': 'text/calendar; charset=utf-8',
    'if-none-match': '*',
    'user-agent': 'Majlis',
  })
})

test('nothing is sent with a name or an etag that could say more than it should', async (t) => {
  const peer = await httpPeer(t, (_, response) => response.writeHead(204).end())
  for (const href of [
    '',
    '.',
    '..',
    '../x.ics',
    'a/b.ics',
    '/x.ics',
    '//evil.example/x.ics',
    'http://evil.example/x.ics',
    'a.ics?x',
    'a b.ics',
    'a.ics\r\nX-Evil: 1',
    '%2e%2e.ics',
    'مرحبا.ics',
  ]) {
    const failures = [
      peer.client.put(href, TEXT, null),
      peer.client.get(href),
      peer.client.remove(href, null),
    ]
    for (const failure of failures) assert.match((await failureOf(failure)).message, /was not sent/)
  }
  for (const etag of [
    '',
    ' ',
    '*',
    ' * ',
    '*, *',
    '"a"\r\nX-Evil: 1',
    '"a\0"',
    '"مرحبا"',
    `"${'x'.repeat(2000)}"`,
  ]) {
    const failures = [peer.client.put(HREF, TEXT, etag), peer.client.remove(HREF, etag)]
    for (const failure of failures)
      assert.match((await failureOf(failure)).message, /an etag that cannot/)
  }
  assert.deepEqual(peer.seen, [])
})

test('a user name, a password or an address that cannot be sent is a permanent failure', async (t) => {
  const peer = await httpPeer(t, (_, response) => response.writeHead(207).end(CALENDAR))
  const access = { url: peer.url, username: USERNAME, password: PASSWORD }
  for (const wrong of [
    { username: 'a:b' },
    { username: 'a\r\nX-Evil: 1' },
    { password: `${PASSWORD}\n` },
    { url: peer.url.replace('//', `//${USERNAME}:${PASSWORD}@`) },
    { url: 'ftp://127.0.0.1/' },
  ]) {
    const failure = await failureOf(caldavClient({ ...access, ...wrong }).probe())
    assert.match(failure.message, /connect the calendar again/)
    assert.equal(failure.isPermanent, true)
  }
  assert.deepEqual(peer.seen, [])
})
