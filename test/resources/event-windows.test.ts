import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { boot } from '../support/boot.ts'
import { assertInvalid } from '../support/client.ts'

/** It is 2026-04-23, 23:30 in Cairo: the day that follows has no midnight. */
async function cairo(t: TestContext) {
  const { majlis, api } = await boot(t, {
    timeZone: 'Africa/Cairo',
    now: '2026-04-23T21:30:00Z',
    plan: 'enterprise',
  })
  const starts = {
    longPast: '2020-01-01T12:00',
    yesterday: '2026-04-22T23:59:59',
    thisMorning: '2026-04-23T00:00',
    tonight: '2026-04-23T23:45',
    tomorrow: '2026-04-24T01:00',
    tomorrowNight: '2026-04-24T23:59:59',
    later: '2026-04-25T00:00',
  }
  // Not in the order of time, so that the order is seen to be made.
  for (const name of Object.keys(starts).reverse() as (keyof typeof starts)[]) {
    majlis.seed.event({ name, starts_at: starts[name] })
  }
  const list = async (query: string) => {
    const { status, body, text } = await api.get(`/events${query}`)
    assert.equal(status, 200, text)
    assert.equal(body.meta.count, body.data.length)
    if (!query.includes('limit')) assert.equal(body.meta.total, body.data.length)
    return body.data.map((event: { name: string }) => event.name).join(' ')
  }
  return { majlis, api, list }
}

const upcoming = 'thisMorning tonight tomorrow tomorrowNight later'
const all = `longPast yesterday ${upcoming}`

const windows: [query: string, names: string, why: string][] = [
  ['', upcoming, 'upcoming begins at the start of today, in the zone of the company'],
  ['?include_past=false', upcoming, 'said aloud'],
  ['?include_past=true', all, 'the past too'],
  ['?include_past=1', all, '1 is true'],
  ['?include_past=yes', upcoming, 'all else is false'],
  ['?from=2026-04-24', 'tomorrow tomorrowNight later', 'a date is its start'],
  ['?from=2026-04-24T01:00', 'tomorrow tomorrowNight later', 'bounds are inclusive'],
  ['?from=2026-04-24T01:00:01', 'tomorrowNight later', 'a second later'],
  ['?from=2026-04-23T22:00:00Z', 'tomorrow tomorrowNight later', 'an instant'],
  ['?from=2026-04-24T01:00:00%2B03:00', 'tomorrow tomorrowNight later', 'an offset'],
  ['?from=2026-04-24T01:00:00+03:00', 'tomorrow tomorrowNight later', 'an offset, unescaped'],
  ['?to=2026-04-22', 'longPast yesterday', 'to alone has no lower bound'],
  ['?to=2026-04-22T23:59:58', 'longPast', 'a second earlier'],
  ['?to=2026-04-22&include_past=false', 'longPast yesterday', 'a window overrides'],
  ['?from=2026-04-23&include_past=true', upcoming, 'a window overrides'],
  ['?from=2026-04-23&to=2026-04-23', 'thisMorning tonight', 'one day'],
  ['?from=2026-04-24&to=2026-04-24', 'tomorrow tomorrowNight', 'the day without a midnight'],
  ['?from=2026-04-24T00:30&to=2026-04-24T00:30', '', 'a gap is moved on to half past one'],
  ['?from=2026-04-25&to=2026-04-24', '', 'from after to selects nothing'],
  ['?from=&to=', upcoming, 'empty is not sent'],
]

test('windows select by the day and the time of the company, soonest first', async (t) => {
  const { list } = await cairo(t)
  for (const [query, names, why] of windows)
    assert.equal(await list(query), names, `${query}: ${why}`)
})

test('a page is cut out of its window, and total counts the window', async (t) => {
  const { api, list } = await cairo(t)
  assert.equal(await list('?limit=2'), 'thisMorning tonight')
  assert.equal(await list('?limit=2&offset=3'), 'tomorrowNight later')
  assert.equal((await api.get('/events?limit=2&offset=3')).body.meta.total, 5)
  assert.equal((await api.get('/events?limit=1&include_past=true')).body.meta.total, 7)
  assert.equal((await api.get('/events?limit=1&from=2026-04-24&to=2026-04-24')).body.meta.total, 2)
})

test('a bad date is 422 and named', async (t) => {
  const { api } = await cairo(t)
  for (const bad of ['2026-02-30', 'soon', '2026-04-24T25:00', '20260424', '1']) {
    assertInvalid(await api.get(`/events?from=${bad}`), 'from')
    assertInvalid(await api.get(`/events?to=${bad}`), 'to')
  }
})

test('what moves, or changes its people, is counted and found where it is now', async (t) => {
  const { majlis, api, list } = await cairo(t)
  const { email } = majlis.seed.user()
  const { id } = majlis.seed.event({ name: 'moving', starts_at: '2026-05-01T09:00' })
  assert.equal(await list('?from=2026-05-01'), 'moving')
  const move = { starts_at: '2026-06-01T09:00', ends_at: '2026-06-01T10:00' }
  await api.patch(`/events/${id}`, { ...move, attendee_emails: [email] })
  assert.equal(await list('?from=2026-05-01&to=2026-05-31'), '')
  assert.equal(await list('?from=2026-06-01'), 'moving')
  const invited = api.as(await majlis.key({ creator: email }))
  assert.equal((await invited.get('/events')).body.meta.total, 1)
  await api.patch(`/events/${id}`, { attendee_emails: [] })
  assert.equal((await invited.get('/events')).body.meta.total, 0)
  await api.delete(`/events/${id}`)
  assert.equal(await list('?from=2026-05-01'), '')
})

test('events of one moment come in the order they were made', async (t) => {
  const { majlis, api } = await boot(t)
  for (const name of ['b', 'a', 'c']) majlis.seed.event({ name, starts_at: '2026-05-01T09:00' })
  const { data } = await api.get('/events')
  assert.deepEqual(
    data.map((event: { name: string }) => event.name),
    ['b', 'a', 'c'],
  )
})
