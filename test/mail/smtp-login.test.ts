import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selfSigned, startSmtp } from '../support/smtp.ts'
import { failure, login, mail, mailerOf, PASSWORD } from './mailers.ts'

/** An address of this machine that is not taken for it: what is sent there could be on a network. */
const elsewhere = (port: number) => `smtp://majlis:${PASSWORD}@0.0.0.0:${port}`

test('a mail reaches a relay on this machine, without TLS and without a login', async (t) => {
  const server = await startSmtp(t)
  await mailerOf(t, server.url).send(mail)
  const [received, ...others] = server.received
  assert.equal(others.length, 0)
  assert.equal(received?.from, 'majlis@company.example')
  assert.deepEqual(received?.to, ['omar@company.example'])
})

test('a relay on this machine may offer TLS with whatever certificate', async (t) => {
  const server = await startSmtp(t, { tls: 'offered', login })
  await mailerOf(t, server.url.replace('//', `//majlis:${PASSWORD}@`)).send(mail)
  assert.equal(server.received[0]?.isEncrypted, true)
  assert.equal(server.received[0]?.user, 'majlis')
})

test('TLS from the first byte and a percent-encoded password are taken', async (t) => {
  const server = await startSmtp(t, { tls: 'first', login: { user: 'a@b', password: 'p:/@% ü' } })
  const userinfo = ['a@b', 'p:/@% ü'].map(encodeURIComponent).join(':')
  await mailerOf(t, server.url.replace('//', `//${userinfo}@`)).send(mail)
  assert.equal(server.received[0]?.user, 'a@b')
})

test('elsewhere a password is never sent where no TLS is offered', async (t) => {
  const server = await startSmtp(t, { login })
  const error = await failure(mailerOf(t, elsewhere(server.port)).send(mail))
  assert.equal(error.isPermanent, false)
  assert.match(error.message, /No safe connection .* must offer TLS/)
  assert.match(server.clear(), /^EHLO /)
  assert.doesNotMatch(server.clear(), /AUTH|MAIL FROM/)
})

test('elsewhere a password is never sent to a server that cannot prove its name', async (t) => {
  const server = await startSmtp(t, { tls: 'offered', login })
  const error = await failure(mailerOf(t, elsewhere(server.port)).send(mail))
  assert.equal(error.isPermanent, false)
  assert.match(error.message, /No safe connection .*certificate/)
  assert.doesNotMatch(server.clear(), /AUTH|MAIL FROM/)
  assert.equal(server.received.length, 0)
})

test('elsewhere a password is sent over STARTTLS to a server that proved its name', async (t) => {
  const certificate = selfSigned(t, 'IP:0.0.0.0')
  if (certificate === undefined) return
  const server = await startSmtp(t, { tls: 'offered', login, certificate })
  const mailer = mailerOf(t, elsewhere(server.port), { ca: certificate.cert })
  await mailer.send(mail)
  assert.equal(server.received[0]?.isEncrypted, true)
  assert.equal(server.received[0]?.user, 'majlis')
  assert.doesNotMatch(server.clear(), /AUTH/)
})

test('elsewhere smtps wants a certificate for the very name', async (t) => {
  const certificate = selfSigned(t, 'DNS:other.example')
  if (certificate === undefined) return
  const server = await startSmtp(t, { tls: 'first', login, certificate })
  const url = elsewhere(server.port).replace('smtp:', 'smtps:')
  const error = await failure(mailerOf(t, url, { ca: certificate.cert }).send(mail))
  assert.match(error.message, /No safe connection .*does not match certificate/)
  assert.equal(error.isPermanent, false)
})

test('elsewhere, without a password, TLS is taken where it is offered', async (t) => {
  const [plain, offering] = [await startSmtp(t), await startSmtp(t, { tls: 'offered' })]
  await mailerOf(t, `smtp://0.0.0.0:${plain.port}`).send(mail)
  await mailerOf(t, `smtp://0.0.0.0:${offering.port}`).send(mail)
  assert.equal(plain.received[0]?.isEncrypted, false)
  assert.equal(offering.received[0]?.isEncrypted, true)
})

test('a wrong password is the fault of the settings: temporary, and never told', async (t) => {
  const server = await startSmtp(t, { login: { ...login, password: 'another' } })
  const mailer = mailerOf(t, server.url.replace('//', `//majlis:${PASSWORD}@`))
  for (const attempt of [() => mailer.send(mail), () => mailer.verify()]) {
    const error = await failure(attempt())
    assert.equal(error.isPermanent, false)
    assert.match(error.message, /refuses the login of "majlis" \(535\)/)
  }
})

test('a server that wants a login where none is given is told as that', async (t) => {
  const server = await startSmtp(t, { login })
  const error = await failure(mailerOf(t, server.url).send(mail))
  assert.equal(error.isPermanent, false)
  assert.match(error.message, /wants a login \(530\)/)
})

test('a login is never left out because the server does not ask for one', async (t) => {
  const server = await startSmtp(t)
  const error = await failure(mailerOf(t, server.url.replace('//', '//a:b@')).send(mail))
  assert.equal(error.isPermanent, false)
  assert.match(error.message, /takes no logins \(50\d\)/)
  assert.equal(server.received.length, 0)
})
