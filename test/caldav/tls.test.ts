import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { caldavClient } from '../../src/caldav/client.ts'
import { cut } from '../../src/caldav/failure.ts'
import { hasProgram } from '../support/component.ts'
import { temporaryFolder } from '../support/process.ts'
import { CALENDAR, failureOf, httpPeer, PASSWORD, rawPeer, USERNAME } from './peer.ts'

const client = new URL('../../src/caldav/client.ts', import.meta.url).href
const TLS_HANDSHAKE = 0x16

/**
 * Speaks TLS, over a certificate that it signed itself, to whom begins with it, and answers with a calendar. To all
 * others it says to come back with https.
 */
async function selfSigned(t: TestContext) {
  const folder = temporaryFolder(t)
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const words = `req -x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${cert} -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1`
  const made = spawnSync('openssl', words.split(' '), { encoding: 'utf8' })
  assert.equal(made.status, 0, made.stderr)
  const asked: string[] = []
  const safe = createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    ({ method, headers }, response) => {
      asked.push(`${method} ${headers.authorization}`)
      response.writeHead(207).end(CALENDAR)
    },
  )
  safe.on('tlsClientError', () => {})
  const plain = createHttpServer(({ url, headers }, response) => {
    response.writeHead(301, { location: `https://${headers.host}${url}` }).end()
  })
  const door = createTcpServer((socket) => {
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    socket.once('data', (first) => {
      socket.pause()
      socket.unshift(first)
      const server = first[0] === TLS_HANDSHAKE ? safe : plain
      server.emit('connection', socket)
      if (server === plain) socket.resume()
    })
  })
  t.after(() => door.close())
  await once(door.listen(0, '127.0.0.1'), 'listening')
  return { host: `127.0.0.1:${(door.address() as AddressInfo).port}`, asked, cert }
}

function clientOf(url: string) {
  return caldavClient({ url, username: USERNAME, password: PASSWORD })
}

test('a self-signed certificate is refused with a sentence that says so, whatever the environment says', async (t) => {
  if (!hasProgram(t, 'openssl', 'openssl')) return
  const { host, asked } = await selfSigned(t)
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  const failure = await failureOf(clientOf(`https://${host}/`).probe())
  assert.match(
    failure.message,
    /^The calendar server at 127\.0\.0\.1:\d+ shows a self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\): .*NODE_EXTRA_CA_CERTS/,
  )
  assert.equal(failure.isPermanent, false)
  assert.deepEqual(asked, [])
})

test('https is spoken to no port of http, and says so', async (t) => {
  const peer = await httpPeer(t, (_, response) => response.writeHead(207).end(CALENDAR))
  const failure = await failureOf(clientOf(peer.url.replace('http', 'https')).probe())
  assert.match(failure.message, /does not speak TLS as it should|broke off/)
  assert.deepEqual(peer.seen, [])
})

test('http to a port of https is a failure that leads there', async (t) => {
  const alert = Buffer.from('15030100020228', 'hex')
  const peer = await rawPeer(t, alert)
  assert.match((await failureOf(peer.client.probe())).message, /wants https/)
})

test('a redirect from http to https of the same host is followed, and the certificate is looked at', async (t) => {
  if (!hasProgram(t, 'openssl', 'openssl')) return
  const { host, asked } = await selfSigned(t)
  const failure = await failureOf(clientOf(`http://${host}/`).probe())
  assert.match(failure.message, /shows a self-signed certificate/)
  assert.deepEqual(asked, [])
})

test('a certificate that is named in NODE_EXTRA_CA_CERTS is trusted', async (t) => {
  if (!hasProgram(t, 'openssl', 'openssl')) return
  const { host, asked, cert } = await selfSigned(t)
  for (const scheme of ['http', 'https']) {
    const access = { url: `${scheme}://${host}/`, username: USERNAME, password: PASSWORD }
    const script = `
      const { caldavClient } = await import(${JSON.stringify(client)})
      console.log(JSON.stringify(await caldavClient(${JSON.stringify(access)}).probe()))`
    const words = ['--import', 'tsx', '--input-type=module', '--eval', script]
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert }
    const { stdout } = await promisify(execFile)(process.execPath, words, { env })
    assert.deepEqual(JSON.parse(stdout), { name: 'Team' })
  }
  const basic = Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')
  assert.deepEqual(asked, Array(2).fill(`PROPFIND Basic ${basic}`))
})

for (const [code, message] of [
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /a certificate of an unknown authority/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /a self-signed certificate/],
  ['CERT_HAS_EXPIRED', /not valid now \(CERT_HAS_EXPIRED\): renew it there/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /for another name .* have it issued for cal\.example/],
  ['EPROTO', /does not speak TLS/],
  ['ETIMEDOUT', /does not answer \(ETIMEDOUT\)/],
] as const) {
  test(`${code} is told in words`, () => {
    const failure = cut(new URL('https://cal.example/'), code, code !== 'ETIMEDOUT')
    assert.match(failure.message, message)
    assert.match(failure.message, /cal\.example/)
    assert.equal(failure.isPermanent, false)
  })
}
