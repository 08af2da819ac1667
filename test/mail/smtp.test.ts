import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readSmtpUrl, smtpMailer } from '../../src/mail/smtp.ts'
import { startChatterbox, startMute, startSmtp } from '../support/smtp.ts'
import { failure, login, mail, mailerOf, PASSWORD } from './mailers.ts'

const refusals: [
  where: 'onSender' | 'onRecipient' | 'onMail',
  answer: string,
  isPermanent: boolean,
][] = [
  ['onRecipient', '550 5.1.1 No such user', true],
  ['onRecipient', '553 5.1.3 Bad address', true],
  ['onRecipient', '451 4.7.1 Greylisted', false],
  ['onRecipient', '450 4.2.1 Busy', false],
  ['onRecipient', '552 Too many recipients', false],
  ['onRecipient', '554 5.7.1 Relay access denied', false],
  ['onRecipient', '550 5.7.1 Client host blocked', false],
  ['onRecipient', '550 Relaying denied', false],
  ['onRecipient', '530 5.7.0 Authentication required', false],
  ['onSender', '550 5.7.1 Sender rejected', false],
  ['onMail', '554 5.7.1 Spam', true],
  ['onMail', '552 5.3.4 Too large', true],
  ['onMail', '451 4.3.0 Disk full', false],
  ['onMail', '421 4.3.2 Shutting down', false],
]

for (const [where, answer, isPermanent] of refusals) {
  test(`${answer} (${where}) is ${isPermanent ? 'permanent' : 'temporary'}`, async (t) => {
    const server = await startSmtp(t, { [where]: () => answer })
    const error = await failure(mailerOf(t, server.url).send(mail))
    assert.equal(error.isPermanent, isPermanent, error.message)
    assert.match(
      error.message,
      new RegExp(`^The mail server smtp://127.0.0.1:${server.port} .*${answer.slice(0, 3)}`),
    )
    assert.equal(server.received.length, 0)
  })
}

test('a mail put off with 451 is taken the next time, with the same identifier', async (t) => {
  const answers = ['451 4.7.1 Greylisted', null]
  const server = await startSmtp(t, { onRecipient: () => answers.shift() ?? null })
  const mailer = mailerOf(t, server.url)
  await failure(mailer.send(mail))
  await mailer.send(mail)
  assert.deepEqual(
    server.received.map(({ message }) => message.headers.get('message-id')),
    [[mail.messageId]],
  )
})

test('a recipient that is refused does not keep the next one from its mail', async (t) => {
  const server = await startSmtp(t, {
    onRecipient: (address) => (address.startsWith('gone') ? '550 No such user' : null),
  })
  const mailer = mailerOf(t, server.url)
  const gone = { ...mail, to: { name: '', email: 'gone@company.example' } }
  const [refused] = await Promise.all([
    failure(mailer.send(gone)),
    mailer.send(mail),
    mailer.send(mail),
  ])
  assert.match(refused.message, /for "gone@company\.example": correct the address of this person/)
  assert.equal(server.received.length, 2)
})

test('a server that hangs up after the mail leaves it unsent, and the next one goes through', async (t) => {
  const answers: ('drop' | null)[] = ['drop', null]
  const server = await startSmtp(t, { onMail: () => answers.shift() ?? null })
  const mailer = mailerOf(t, server.url)
  const error = await failure(mailer.send(mail))
  assert.equal(error.isPermanent, false)
  assert.match(error.message, /hung up/)
  await mailer.send(mail)
  assert.equal(server.received.length, 1)
})

test('a server that hangs after the mail is given up on', async (t) => {
  const server = await startSmtp(t, { onMail: () => 'hang' })
  const started = Date.now()
  const error = await failure(mailerOf(t, server.url, { patience: 1_000 }).send(mail))
  assert.ok(Date.now() - started < 1_900, 'its silence is enough')
  assert.equal(error.isPermanent, false)
  assert.match(error.message, /does not answer in time/)
})

test('a server that never greets is given up on, when sending and when asked', async (t) => {
  const { port } = await startMute(t)
  const mailer = mailerOf(t, `smtp://127.0.0.1:${port}`, { patience: 300 })
  for (const attempt of [() => mailer.send(mail), () => mailer.verify()]) {
    assert.match((await failure(attempt())).message, /does not answer in time/)
  }
})

test('a server that goes on talking without an end is given up on', async (t) => {
  const { port } = await startChatterbox(t)
  const mailer = mailerOf(t, `smtp://127.0.0.1:${port}`, { patience: 300 })
  const started = Date.now()
  const errors = await Promise.all([1, 2, 3].map(() => failure(mailer.send(mail))))
  assert.ok(Date.now() - started < 3_000)
  for (const { isPermanent } of errors) assert.equal(isPermanent, false)
  assert.match(errors[0]?.message ?? '', /does not answer in time/)
})

test('where nothing listens, and where the name is unknown, the sentence says so', async (t) => {
  const port = await closedPort()
  const refused = await failure(mailerOf(t, `smtp://127.0.0.1:${port}`).send(mail))
  assert.match(
    refused.message,
    /^Nothing listens at smtp:\/\/127\.0\.0\.1:\d+: start the mail server/,
  )
  const unknown = await failure(mailerOf(t, 'smtp://nowhere.invalid').send(mail))
  assert.match(
    unknown.message,
    /^The name of the mail server smtp:\/\/nowhere\.invalid:587 is not found/,
  )
  for (const { isPermanent } of [refused, unknown]) assert.equal(isPermanent, false)
})

test('at most two connections are open, and they are used again', async (t) => {
  const server = await startSmtp(t)
  const mailer = mailerOf(t, server.url)
  await Promise.all(Array.from({ length: 12 }, () => mailer.send(mail)))
  assert.equal(server.received.length, 12)
  assert.deepEqual(server.connections(), { all: 2, most: 2, open: 2 })
})

test('a mailer that is asked says where it is and as whom', async (t) => {
  const server = await startSmtp(t, { login })
  const mailer = mailerOf(t, server.url.replace('//', `//majlis:${PASSWORD}@`))
  assert.equal(
    await mailer.verify(),
    `The mail server ${server.url} answers, with the login of "majlis".`,
  )
  assert.equal(server.received.length, 0)
})

test('a closed mailer sends nothing, and leaves no connection open', async (t) => {
  const server = await startSmtp(t)
  const mailer = mailerOf(t, server.url)
  await mailer.send(mail)
  mailer.close()
  assert.equal((await failure(mailer.send(mail))).isPermanent, false)
  while (server.connections().open > 0) await pause(5)
})

test('an address that is more than one is refused without a word to the server', async (t) => {
  const server = await startSmtp(t)
  const mailer = mailerOf(t, server.url)
  for (const email of [
    'a@b.example,c@d.example',
    'a@b.example>\r\nRCPT TO:<c@d.example',
    '',
    'a b@c.example',
  ]) {
    const error = await failure(mailer.send({ ...mail, to: { name: 'A', email } }))
    assert.equal(error.isPermanent, true)
  }
  assert.equal(server.connections().all, 0)
})

test('a sender that is no address is refused at once', () => {
  const settings = readSmtpUrl('smtp://localhost')
  assert.ok(settings)
  for (const from of ['Majlis', { name: 'Majlis', email: 'a@b.example>\r\nX: y' }]) {
    assert.throws(() => smtpMailer(settings, from), /The sender of mails must be an address/)
  }
})

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
