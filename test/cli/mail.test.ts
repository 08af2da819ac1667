import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventWorld } from '../support/served-events.ts'
import { startSmtp } from '../support/smtp.ts'
import { eventually } from '../support/stored.ts'

type Answer = () => string | null | 'hang' | 'drop'

/** A company whose server sends through an SMTP server that answers as the test wants. */
async function mailWorld(t: TestContext, first: Answer = () => null) {
  let answer = first
  const smtp = await startSmtp(t, { onMail: () => answer() })
  const world = await eventWorld(t)
  const flags = ['--smtp', smtp.url, '--mail-from', 'Majlis <majlis@x.example>']
  await world.start(...flags)
  const states = async () => (await world.notices()).map(({ state }) => state)
  return {
    ...world,
    smtp,
    flags,
    states,
    answer(next: Answer) {
      answer = next
    },
  }
}

test('an invitation reaches the inbox, its changes too, and each is sent once', async (t) => {
  const { api, meet, smtp, notices, states } = await mailWorld(t)
  const id = await meet('اجتماع الافتتاح')
  await eventually(() => assert.equal(smtp.received.length, 1))
  await api().patch(`/events/${id}`, { name: 'اجتماع آخر' })
  await eventually(() => assert.equal(smtp.received.length, 2))
  await api().delete(`/events/${id}`)
  await eventually(() => assert.equal(smtp.received.length, 3))
  await eventually(async () => assert.deepEqual(await states(), ['sent', 'sent', 'sent']))
  assert.deepEqual(
    (await notices()).map(({ kind, recipient, attempts }) => [kind, recipient, attempts]),
    [
      ['event.cancelled', 'ali@x.example', 1],
      ['event.updated', 'ali@x.example', 1],
      ['event.created', 'ali@x.example', 1],
    ],
  )
  const methods = smtp.received.map(({ raw }) => /method=(\w+)/i.exec(raw)?.[1]?.toUpperCase())
  assert.deepEqual(methods, ['REQUEST', 'REQUEST', 'CANCEL'])
  assert.deepEqual(smtp.received[0]?.to, ['ali@x.example'])
  assert.equal(smtp.received[0]?.from, 'majlis@x.example')
})

test('a mail that is put off is sent later; one that is refused is given up with its reason, until a retry', async (t) => {
  const answers: (string | null)[] = ['451 Try later', null, '550 No such user', null]
  const { meet, smtp, notices, run } = await mailWorld(t, () => answers.shift() ?? null)
  await meet('First')
  await eventually(() => assert.equal(smtp.received.length, 1))
  await meet('Second')
  await eventually(async () => assert.equal((await notices())[0]?.state, 'failed'))
  const [refused, putOff] = await notices()
  assert.deepEqual([putOff?.state, putOff?.attempts], ['sent', 2])
  assert.match(refused?.last_error ?? '', /550/)
  const { code, json } = await run('notification', 'retry', String(refused?.id))
  assert.deepEqual([code, json.notification.state], [0, 'pending'])
  await eventually(() => assert.equal(smtp.received.length, 2))
  const again = await run('notification', 'retry', String(putOff?.id))
  assert.equal(again.code, 1)
  assert.match(again.stderr, /has been sent/)
  assert.equal((await run('notification', 'retry', '999')).code, 1)
})

test('a mail server that drops the connection, or is not there, is tried again', async (t) => {
  const answers: ReturnType<Answer>[] = ['drop', null]
  const { meet, smtp, start, notices } = await mailWorld(t, () => answers.shift() ?? null)
  await meet('Dropped')
  await eventually(() => assert.equal(smtp.received.length, 1))
  await start('--smtp', 'smtp://127.0.0.1:1', '--mail-from', 'a@x.example')
  await meet('Nobody there')
  await eventually(async () => assert.match((await notices())[0]?.last_error ?? '', /127\.0\.0\.1/))
  assert.equal((await notices())[0]?.state, 'pending')
})

test('kill -9 while a mail is on its way: it is sent after the next start, and never lost', async (t) => {
  const { meet, smtp, stop, start, flags, states, answer } = await mailWorld(t, () => 'hang')
  await meet('On its way')
  await eventually(() => assert.equal(smtp.connections().all > 0, true))
  await new Promise((resolve) => setTimeout(resolve, 200))
  await stop('SIGKILL')
  assert.deepEqual(await states(), ['pending'])
  answer(() => null)
  await start(...flags)
  await eventually(async () => assert.deepEqual(await states(), ['sent']))
  assert.equal(smtp.received.length, 1)
})

test('a server that is told to stop ends also while the mail server hangs, and what it took is sent once', async (t) => {
  const { meet, smtp, stop, start, flags, states, answer } = await mailWorld(t, () => 'hang')
  await meet('Hanging')
  await eventually(() => assert.equal(smtp.connections().all > 0, true))
  await stop('SIGTERM')
  answer(() => null)
  await start(...flags)
  await eventually(async () => assert.deepEqual(await states(), ['sent']))
  assert.equal(smtp.received.length, 1)
})

test('without a mail server notices stay rows, and check says so', async (t) => {
  const { start, meet, notices, run } = await eventWorld(t)
  await start()
  await meet('Quiet')
  assert.equal((await notices())[0]?.state, 'pending')
  const { json } = await run('check')
  const finding = json.checks.find(({ check }: { check: string }) => check === 'notifications')
  assert.match(finding.detail, /1 notification waits.*--smtp/)
  assert.equal(finding.ok, true)
})

test('--smtp and --mail-from belong together, and nonsense is refused', async (t) => {
  const { run } = await eventWorld(t)
  for (const words of [
    ['--smtp', 'smtp://127.0.0.1'],
    ['--mail-from', 'a@x.example'],
    ['--smtp', 'http://127.0.0.1', '--mail-from', 'a@x.example'],
    ['--smtp', 'smtp://127.0.0.1', '--mail-from', 'nobody'],
  ]) {
    const { code, stderr } = await run('serve', '--port', '0', ...words)
    assert.equal(code, 2, words.join(' '))
    assert.match(stderr, /--smtp|--mail-from/)
  }
})
