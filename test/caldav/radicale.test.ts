import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { caldavClient, hrefOf } from '../../src/caldav/client.ts'
import { CalendarFailure } from '../../src/caldav/failure.ts'
import { hasRadicale, startRadicale } from '../support/radicale.ts'
import { eventText } from './peer.ts'

const HREF = hrefOf('0b5b1c0e-5d5f-4b52-9d3e-6a3f0f6a1f11')
const OTHER = hrefOf('another')

async function boot(t: TestContext) {
  const radicale = await startRadicale(t)
  return { radicale, client: caldavClient(radicale) }
}

function fails(expected: { message: RegExp; isPermanent: boolean }) {
  return (error: unknown) => {
    assert.ok(error instanceof CalendarFailure)
    assert.match(error.message, expected.message)
    assert.equal(error.isPermanent, expected.isPermanent)
    return true
  }
}

test('a calendar is known by its name, and keeps, replaces, gives and loses an event', async (t) => {
  if (!hasRadicale(t)) return
  const { radicale, client } = await boot(t)
  assert.deepEqual(await client.probe(), { name: 'مواعيد Majlis' })

  const made = await client.put(HREF, eventText('a', 'First'), null)
  assert.ok(made.kind === 'kept' && made.etag !== null)
  assert.deepEqual(Object.keys(await radicale.objects()), [HREF])
  const first = await client.get(HREF)
  assert.match(first?.text ?? '', /SUMMARY:First/)
  assert.equal(first?.etag, made.etag)

  const changed = await client.put(HREF, eventText('a', 'ثانيًا'), made.etag)
  assert.ok(changed.kind === 'kept' && changed.etag !== null)
  assert.notEqual(changed.etag, made.etag)
  assert.match((await radicale.objects())[HREF] ?? '', /SUMMARY:ثانيًا/)

  assert.equal(await client.remove(HREF, made.etag), 'conflict')
  assert.equal(await client.remove(HREF, changed.etag), 'removed')
  assert.deepEqual(await radicale.objects(), {})
  assert.equal(await client.get(HREF), null)
  assert.equal(await client.remove(HREF, changed.etag), 'absent')
  assert.equal(await client.remove(HREF, null), 'absent')
})

test('what is there is not created again, nor replaced with the etag of something else', async (t) => {
  if (!hasRadicale(t)) return
  const { radicale, client } = await boot(t)
  await client.put(HREF, eventText('a', 'First'), null)
  assert.deepEqual(await client.put(HREF, eventText('a', 'Second'), null), { kind: 'conflict' })
  assert.deepEqual(await client.put(HREF, eventText('a', 'Second'), '"wrong"'), {
    kind: 'conflict',
  })
  assert.match((await radicale.objects())[HREF] ?? '', /SUMMARY:First/)
  assert.equal(await client.remove(HREF, null), 'removed')
})

test('what was removed meanwhile is gone, and not replaced', async (t) => {
  if (!hasRadicale(t)) return
  const { radicale, client } = await boot(t)
  const made = await client.put(HREF, eventText('a', 'First'), null)
  assert.ok(made.kind === 'kept')
  await client.remove(HREF, null)
  assert.deepEqual(await client.put(HREF, eventText('a', 'Second'), made.etag), { kind: 'gone' })
  assert.deepEqual(await radicale.objects(), {})
})

test('an event that the calendar has under another name is refused with the way out', async (t) => {
  if (!hasRadicale(t)) return
  const { client } = await boot(t)
  await client.put(OTHER, eventText('a', 'By hand'), null)
  await assert.rejects(
    client.put(HREF, eventText('a', 'First'), null),
    fails({ message: /already has this event under another name \(409\)/, isPermanent: false }),
  )
  await assert.rejects(
    client.put(HREF, 'no calendar at all', null),
    fails({ message: /refuses what it was sent \(400\)/, isPermanent: false }),
  )
})

test('a wrong password, a wrong user and a calendar of somebody else are permanent failures', async (t) => {
  if (!hasRadicale(t)) return
  const { radicale } = await boot(t)
  const password = 'wrong and unseen'
  const refused = fails({
    message:
      /^The calendar server at 127\.0\.0\.1:\d+ refuses the user name or the password \(401\)/,
    isPermanent: true,
  })
  const stranger = caldavClient({ ...radicale, password })
  await assert.rejects(stranger.probe(), refused)
  await assert.rejects(stranger.put(HREF, eventText('a', 'First'), null), refused)
  await assert.rejects(stranger.get(HREF), refused)
  await assert.rejects(stranger.remove(HREF, null), refused)
  const somebodyElses = radicale.url.replace('/amina/', '/basim/')
  await assert.rejects(
    caldavClient({ ...radicale, url: somebodyElses }).probe(),
    fails({ message: /does not let this user read the calendar \(403\)/, isPermanent: true }),
  )
  assert.deepEqual(await radicale.objects(), {})
})

test('what is no calendar, or is not there, is a permanent failure of every operation', async (t) => {
  if (!hasRadicale(t)) return
  const { radicale } = await boot(t)
  const none = fails({ message: /^There is no calendar at http:\/\/127/, isPermanent: true })
  const home = caldavClient({ ...radicale, url: new URL('..', radicale.url).href })
  await assert.rejects(home.probe(), none)
  const missing = caldavClient({ ...radicale, url: new URL('../none/', radicale.url).href })
  await assert.rejects(missing.probe(), none)
  await assert.rejects(missing.put(HREF, eventText('a', 'First'), null), none)
  await assert.rejects(missing.put(HREF, eventText('a', 'First'), '"x"'), none)
  await assert.rejects(missing.get(HREF), none)
  await assert.rejects(missing.remove(HREF, null), none)
})

test('a server that is down is a temporary failure, and its calendar is as it was when it is back', async (t) => {
  if (!hasRadicale(t)) return
  const { radicale, client } = await boot(t)
  const made = await client.put(HREF, eventText('a', 'First'), null)
  assert.ok(made.kind === 'kept')
  await radicale.kill()
  const down = fails({ message: /does not answer \(ECONNREFUSED\): see that/, isPermanent: false })
  await assert.rejects(client.probe(), down)
  await assert.rejects(client.put(HREF, eventText('a', 'Second'), made.etag), down)
  await assert.rejects(client.get(HREF), down)
  await assert.rejects(client.remove(HREF, made.etag), down)
  await radicale.restart()
  assert.equal((await client.put(HREF, eventText('a', 'Second'), made.etag)).kind, 'kept')
  assert.match((await radicale.objects())[HREF] ?? '', /SUMMARY:Second/)
})
