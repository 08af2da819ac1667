import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hasRadicale, type Radicale, startRadicale } from '../support/radicale.ts'
import { eventWorld } from '../support/served-events.ts'
import { eventually } from '../support/stored.ts'

async function calendarWorld(t: TestContext, radicale: Radicale) {
  const world = await eventWorld(t)
  await world.start()
  const { url, username, password } = radicale
  const words = ['calendar', 'connect', '--company', '1', '--url', url, '--username', username]
  const connect = (secret = password, ...more: string[]) =>
    world.tell(secret, ...words, '--password-stdin', ...more)
  const texts = async () => Object.values(await radicale.objects())
  return { ...world, connect, texts }
}

test('events of a company are in its connected calendar: made, changed, deleted', async (t) => {
  if (!hasRadicale(t)) return
  const radicale = await startRadicale(t)
  const { api, connect, meet, texts, run } = await calendarWorld(t, radicale)
  await meet('Before it was connected')
  const { code, json, stderr } = await connect()
  assert.equal(code, 0, stderr)
  assert.deepEqual([json.owner, json.url, json.last_error], [null, radicale.url, null])
  await eventually(async () => assert.match((await texts()).join(), /Before it was connected/))
  const id = await meet('Kickoff')
  await eventually(async () => assert.match((await texts()).join(), /SUMMARY:Kickoff/))
  await api().patch(`/events/${id}`, { name: 'Kickoff 2' })
  await eventually(async () => assert.match((await texts()).join(), /SUMMARY:Kickoff 2/))
  assert.equal((await texts()).length, 2)
  await api().delete(`/events/${id}`)
  await eventually(async () => assert.equal((await texts()).length, 1))
  const [listed] = (await run('calendar', 'list', '--company', '1')).json
  assert.deepEqual([listed.id, listed.waiting, listed.last_error], [json.id, 0, null])
  assert.equal((await run('calendar', 'disconnect', String(json.id))).code, 0)
  assert.deepEqual((await run('calendar', 'list', '--company', '1')).json, [])
  await meet('After it was disconnected')
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.equal((await texts()).length, 1)
})

test('a calendar that is down gets everything once it is back, also over a kill -9', async (t) => {
  if (!hasRadicale(t)) return
  const radicale = await startRadicale(t)
  const { connect, meet, texts, run, stop, start } = await calendarWorld(t, radicale)
  assert.equal((await connect()).code, 0)
  await radicale.kill()
  await meet('While it was down')
  await eventually(async () => {
    const [listed] = (await run('calendar', 'list', '--company', '1')).json
    assert.equal(listed.waiting, 1)
    assert.match(listed.last_error ?? '', /127\.0\.0\.1|localhost/)
  })
  await stop('SIGKILL')
  await radicale.restart()
  await start()
  await eventually(async () => assert.match((await texts()).join(), /While it was down/))
})

test('connecting the same calendar again loses nothing that waited for it', async (t) => {
  if (!hasRadicale(t)) return
  const radicale = await startRadicale(t)
  const { api, connect, meet, texts } = await calendarWorld(t, radicale)
  const { id } = (await connect()).json
  const event = await meet('To be deleted')
  await eventually(async () => assert.equal((await texts()).length, 1))
  await radicale.kill()
  await api().delete(`/events/${event}`)
  await radicale.restart()
  assert.equal((await connect()).json.id, id)
  await eventually(async () => assert.deepEqual(await texts(), []))
})

test('what another program changed there is kept beside what we change', async (t) => {
  if (!hasRadicale(t)) return
  const radicale = await startRadicale(t)
  const { api, connect, meet, texts } = await calendarWorld(t, radicale)
  await connect()
  const id = await meet('Shared')
  await eventually(async () => assert.equal((await texts()).length, 1))
  const [[href, text] = ['', '']] = Object.entries(await radicale.objects())
  const theirs = text.replace('END:VEVENT', 'X-THEIR-NOTE:keep me\r\nEND:VEVENT')
  const authorization = `Basic ${Buffer.from(`${radicale.username}:${radicale.password}`).toString('base64')}`
  const name = href.split('/').at(-1) ?? ''
  const put = { method: 'PUT', headers: { authorization }, body: theirs }
  assert.ok((await fetch(new URL(name, radicale.url), put)).ok)
  await api().patch(`/events/${id}`, { name: 'Shared, renamed' })
  await eventually(async () => assert.match((await texts()).join(), /SUMMARY:Shared\\, renamed/))
  assert.match((await texts()).join(), /X-THEIR-NOTE:keep me/)
})

test("a person's calendar gets what concerns that person only", async (t) => {
  if (!hasRadicale(t)) return
  const radicale = await startRadicale(t)
  const { api, connect, meet, texts } = await calendarWorld(t, radicale)
  assert.equal((await connect(undefined, '--email', 'ali@x.example')).json.owner, 'ali@x.example')
  const id = await meet('With Ali')
  const alone = { name: 'Without Ali', starts_at: '2030-01-01T09:00', ends_at: '2030-01-01T10:00' }
  await api().post('/events', alone)
  await eventually(async () => assert.match((await texts()).join(), /With Ali/))
  await api().patch(`/events/${id}`, { attendee_emails: [] })
  await eventually(async () => assert.deepEqual(await texts(), []))
})

test('what cannot be connected is refused with the reason, and nothing is kept', async (t) => {
  if (!hasRadicale(t)) return
  const radicale = await startRadicale(t)
  const { connect, tell, run } = await calendarWorld(t, radicale)
  const wrong = await connect('wrong')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /password/)
  const base = ['calendar', 'connect', '--company', '1', '--username', 'u']
  const metadata = ['--url', 'http://169.254.169.254/latest/', '--password-stdin']
  assert.equal((await tell('x', ...base, ...metadata)).code, 1)
  assert.equal((await tell('x', ...base, '--url', radicale.url)).code, 2)
  assert.equal((await tell('x', ...base, '--url', 'ftp://x', '--password-stdin')).code, 2)
  assert.deepEqual((await run('calendar', 'list', '--company', '1')).json, [])
  assert.equal((await run('calendar', 'disconnect', '9')).code, 1)
})

test('the password lies nowhere in the clear, and its key is beside the database, for its owner only', async (t) => {
  if (!hasRadicale(t)) return
  const radicale = await startRadicale(t)
  const { connect, data, stop } = await calendarWorld(t, radicale)
  await connect()
  await stop()
  const key = join(data, 'secret.key')
  assert.equal(statSync(key).mode & 0o777, 0o600)
  for (const name of readdirSync(data).filter((each) => each.startsWith('majlis.db'))) {
    const bytes = readFileSync(join(data, name))
    assert.equal(bytes.includes(radicale.password), false)
    assert.equal(bytes.includes(readFileSync(key)), false)
  }
})
