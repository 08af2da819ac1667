import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caldavClient, readCalendarUrl } from '../../src/caldav/client.ts'
import { isForbiddenAddress, type Resolved } from '../../src/caldav/forbidden.ts'
import { CALENDAR, failureOf, httpPeer, PASSWORD, USERNAME } from './peer.ts'

const FORBIDDEN = [
  '0.0.0.0',
  '0.1.2.3',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.255.255',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'febf:ffff::1',
  'ff02::1',
  'fd00:ec2::254',
  'FD00:0EC2:0:0:0:0:0:254',
  'fd20:ce::254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '0:0:0:0:0:FFFF:A9FE:A9FE',
  '::ffff:0.0.0.0',
  '::ffff:0:169.254.169.254',
  '::169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  'no address',
  '',
]

const ALLOWED = [
  '127.0.0.1',
  '127.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '223.255.255.255',
  '1.0.0.0',
  '203.0.113.7',
  '::1',
  'fd00::1',
  'fec0::1',
  'fd00:ec3::254',
  '2001:db8::1',
  '::ffff:127.0.0.1',
  '::ffff:192.168.1.1',
  '64:ff9b::192.168.1.1',
  '2002:c0a8:101::1',
]

test('link-local, metadata, multicast and unspecified addresses are forbidden in all their forms', () => {
  assert.deepEqual(
    FORBIDDEN.filter((address) => !isForbiddenAddress(address)),
    [],
  )
})

test('private, loopback and public addresses are not', () => {
  assert.deepEqual(ALLOWED.filter(isForbiddenAddress), [])
})

for (const host of [
  '169.254.169.254',
  '169.254.169.254.',
  '2852039166',
  '0xA9FEA9FE',
  '0251.0376.0251.0376',
  '0xa9.0xfe.0xa9.0xfe',
  '169.254.43518',
  '１６９.２５４.１６９.２５４',
  '169。254。169。254',
  '%31%36%39.254.169.254',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::]',
  '0',
]) {
  test(`a calendar at ${host} is never asked`, async () => {
    const url = readCalendarUrl(`http://${host}/latest/meta-data`)
    // Refused as no address at all is as good.
    if (url === null) return
    const client = caldavClient({ url, username: USERNAME, password: PASSWORD }, { patience: 2000 })
    const failure = await failureOf(client.probe())
    assert.match(failure.message, /is a link-local, metadata or multicast address/)
    assert.equal(failure.isPermanent, true)
  })
}

function resolving(...answers: Resolved[][]) {
  const asked: string[] = []
  return {
    asked,
    lookup: async (name: string) => {
      asked.push(name)
      return answers.shift() ?? []
    },
  }
}

const METADATA = { address: '169.254.169.254', family: 4 }
const LINK_LOCAL = { address: 'fe80::1', family: 6 }
const LOOPBACK = { address: '127.0.0.1', family: 4 }

test('a name that leads to forbidden addresses is never connected to', async () => {
  const { lookup } = resolving([METADATA, LINK_LOCAL])
  const client = caldavClient(
    { url: 'http://calendar.example/', username: USERNAME, password: PASSWORD },
    { lookup, patience: 2000 },
  )
  const failure = await failureOf(client.probe())
  assert.match(failure.message, /^calendar\.example is a link-local.* or its name leads to one/)
  assert.equal(failure.isPermanent, true)
})

test('every connection is judged anew, by the address that it goes to', async (t) => {
  const peer = await httpPeer(t, (_, response) => response.writeHead(207).end(CALENDAR))
  const { lookup, asked } = resolving([LOOPBACK], [METADATA])
  const client = caldavClient(
    { url: `http://rebinding.example:${peer.port}/`, username: USERNAME, password: PASSWORD },
    { lookup, patience: 2000 },
  )
  assert.deepEqual(await client.probe(), { name: 'Team' })
  assert.match((await failureOf(client.probe())).message, /its name leads to one/)
  assert.deepEqual(asked, ['rebinding.example', 'rebinding.example'])
  assert.equal(peer.seen.length, 1)
})

test('of the addresses of a name the forbidden ones are left out', async (t) => {
  const peer = await httpPeer(t, (_, response) => response.writeHead(207).end(CALENDAR))
  const { lookup } = resolving([METADATA, LOOPBACK, LINK_LOCAL])
  const client = caldavClient(
    { url: `http://home.example:${peer.port}/`, username: USERNAME, password: PASSWORD },
    { lookup },
  )
  assert.deepEqual(await client.probe(), { name: 'Team' })
  assert.equal(peer.seen[0]?.headers.host, `home.example:${peer.port}`)
})

for (const [name, lookup, message] of [
  [
    'has no address',
    async () => [],
    /nowhere\.example of the calendar server is not found \(ENODATA/,
  ],
  [
    'is not found',
    async () => {
      throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    },
    /nowhere\.example of the calendar server is not found \(ENOTFOUND\): see that it is spelled/,
  ],
  ['leads to no address', async () => [{ address: 'x', family: 4 }], /leads to one/],
] as const) {
  test(`a name that ${name} is a failure that says so`, async () => {
    const client = caldavClient(
      { url: 'http://nowhere.example/', username: USERNAME, password: PASSWORD },
      { lookup },
    )
    assert.match((await failureOf(client.probe())).message, message)
  })
}
