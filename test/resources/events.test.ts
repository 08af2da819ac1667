import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { boot, everything } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'
import { lookInto } from '../support/database.ts'

const good = { name: 'Review', starts_at: '2026-03-02T09:00', ends_at: '2026-03-02T10:00' }

async function world(t: TestContext) {
  const { majlis, api } = await boot(t, { timeZone: 'Asia/Riyadh', storage: 'folder' })
  const sara = majlis.seed.user({ name: 'Sara', email: 'sara@company1.example' })
  const ali = majlis.seed.user({ name: 'Ali', email: 'Ali@company1.example' })
  const as = async (email: string) => api.as(await majlis.key({ ...everything, creator: email }))
  return { majlis, api, sara, ali, bySara: await as(sara.email), byAli: await as(ali.email) }
}

test('an event answers every field, its times with the offset of the company', async (t) => {
  const { api, sara, ali } = await world(t)
  const sent = {
    name: ' اجتماع الافتتاح ',
    description: 'على الغداء\n<b>مهم</b>',
    starts_at: '2026-03-02T09:00',
    ends_at: '2026-03-02T07:30:00Z',
    meeting_url: 'https://meet.example/ملف',
    attendee_emails: [sara.email, 'ALI@company1.EXAMPLE', sara.email],
  }
  const { status, data } = await api.post('/events', sent)
  assert.equal(status, 201)
  assert.ok(Number.isInteger(data.id))
  assert.deepEqual(data, {
    id: data.id,
    name: 'اجتماع الافتتاح',
    description: 'على الغداء\n<b>مهم</b>',
    starts_at: '2026-03-02T09:00:00+03:00',
    ends_at: '2026-03-02T10:30:00+03:00',
    all_day: false,
    meeting_url: 'https://meet.example/ملف',
    organizer: 'Owner',
    organizer_email: 'owner@company1.example',
    attendees: [
      { name: 'Ali', email: ali.email },
      { name: 'Sara', email: sara.email },
    ],
  })
  assert.deepEqual((await api.get(`/events/${data.id}`)).data, data)
})

test('an all-day event takes dates: from the first second of the first day to the last of the last', async (t) => {
  const { api } = await world(t)
  const days = { name: 'Summit', starts_at: '2026-03-02', ends_at: '2026-03-03', all_day: true }
  const { data } = await api.post('/events', days)
  assert.equal(data.all_day, true)
  assert.equal(data.starts_at, '2026-03-02T00:00:00+03:00')
  assert.equal(data.ends_at, '2026-03-03T23:59:59+03:00')
})

const invalid: [body: Record<string, unknown>, field: string, why: string][] = [
  [{ name: ' ' }, 'name', 'blank'],
  [{ name: null }, 'name', 'null'],
  [{ name: 'a'.repeat(256) }, 'name', 'too long'],
  [{ description: 5 }, 'description', 'a number'],
  [{ description: 'a'.repeat(65_537) }, 'description', 'too long'],
  [{ starts_at: undefined }, 'starts_at', 'missing'],
  [{ starts_at: null }, 'starts_at', 'null'],
  [{ starts_at: 'tomorrow' }, 'starts_at', 'no date'],
  [{ starts_at: '2026-02-30T09:00' }, 'starts_at', 'no such day'],
  [{ starts_at: 1_772_355_600 }, 'starts_at', 'a number'],
  [{ starts_at: '2026-03-02' }, 'starts_at', 'a date alone'],
  [{ ends_at: undefined }, 'ends_at', 'missing'],
  [{ ends_at: '2026-03-03' }, 'ends_at', 'a date alone'],
  [{ ends_at: '2026-03-02T08:59:59' }, 'ends_at', 'before it starts'],
  [{ starts_at: '9999-12-31T23:00:00Z' }, 'starts_at', 'a year that could not be shown'],
  [{ starts_at: '0000-01-01T00:00:00+14:00' }, 'starts_at', 'a year before the first'],
  [{ starts_at: '2026-03-02T08:59:60' }, 'starts_at', 'a leap second'],
  [{ all_day: null }, 'all_day', 'null'],
  [{ all_day: 'yes' }, 'all_day', 'a string'],
  [{ meeting_url: 'javascript:alert(1)' }, 'meeting_url', 'no web address'],
  [{ attendee_emails: 'sara@company1.example' }, 'attendee_emails', 'a string'],
  [{ attendee_emails: Array(501).fill('a@x.example') }, 'attendee_emails', 'too many'],
  [{ attendee_emails: [5] }, 'attendee_emails', 'a number in it'],
]

test('a wrong field is refused with its name, on create and on change, and nothing is saved', async (t) => {
  const { majlis, api } = await world(t)
  const { data } = await api.post('/events', good)
  for (const [wrong, field, why] of invalid) {
    const answer = await api.post('/events', { ...good, ...wrong })
    assert.equal(answer.status, 422, why)
    assertInvalid(answer, field)
    if (why === 'missing') continue
    const change = await api.patch(`/events/${data.id}`, wrong)
    assert.equal(change.status, 422, `${why} on change`)
    assertInvalid(change, field)
  }
  assert.equal(lookInto(majlis, 'select id from events').length, 1)
  assert.deepEqual((await api.get(`/events/${data.id}`)).data, data)
})

test('every attendee who is no active person of the company is named, and nothing is saved', async (t) => {
  const { majlis, api, sara, ali } = await world(t)
  const elsewhere = majlis.seed.company().owner
  ali.deactivate()
  const attendee_emails = ['nobody@x.example', sara.email, ali.email, elsewhere.email]
  const answer = await api.post('/events', { ...good, attendee_emails })
  assertInvalid(answer, 'attendee_emails')
  for (const email of ['nobody@x.example', ali.email, elsewhere.email]) {
    assert.ok(answer.message?.includes(email), email)
  }
  assert.equal(answer.message?.includes(sara.email), false)
  assert.deepEqual(lookInto(majlis, 'select id from events'), [])
  assert.deepEqual(lookInto(majlis, 'select id from notifications'), [])
})

test('organizer and attendees see an event; for all others, in and out of the company, it is not there', async (t) => {
  const { majlis, api, sara, bySara, byAli } = await world(t)
  const { data } = await api.post('/events', { ...good, attendee_emails: [sara.email] })
  const path = `/events/${data.id}`
  assert.equal((await api.get(path)).status, 200)
  assert.equal((await bySara.get(path)).status, 200)
  const stranger = api.as((await majlis.seed.company().key(everything)).text)
  for (const caller of [byAli, stranger]) {
    assertRefused(await caller.get(path), 404, 'not_found')
    assertRefused(await caller.patch(path, { name: 'X' }), 404, 'not_found')
    assertRefused(await caller.delete(path), 404, 'not_found')
    assert.deepEqual((await caller.get('/events')).data, [])
  }
  for (const id of ['abc', '0', '-1', '1.5', '9007199254740993', '%ff']) {
    assertRefused(await api.get(`/events/${id}`), 404, 'not_found')
  }
})

test('only the organizer changes and deletes; an attendee is 403, which is audited', async (t) => {
  const { majlis, api, sara, bySara } = await world(t)
  const { data } = await api.post('/events', { ...good, attendee_emails: [sara.email] })
  const path = `/events/${data.id}`
  assertRefused(await bySara.patch(path, { name: 'X' }), 403, 'forbidden')
  assertRefused(await bySara.patch(path, { name: '' }), 403, 'forbidden')
  assertRefused(await bySara.delete(path), 403, 'forbidden')
  assert.equal(lookInto(majlis, "select id from audit_entries where outcome = 'denied'").length, 3)
  assert.equal((await api.patch(path, { name: 'Y' })).data.name, 'Y')
  const { status, data: answer } = await api.delete(path)
  assert.equal(status, 200)
  assert.deepEqual(answer, { deleted: true, event: { id: data.id, name: 'Y' } })
  assertRefused(await api.get(path), 404, 'not_found')
  assertRefused(await bySara.get(path), 404, 'not_found')
})

test('a change touches only what is sent; null clears; attendees are replaced as a whole', async (t) => {
  const { api, sara, ali, bySara, byAli } = await world(t)
  const meeting = { description: 'Long', meeting_url: 'https://meet.example/' }
  const { data } = await api.post('/events', {
    ...good,
    ...meeting,
    attendee_emails: [sara.email],
  })
  const path = `/events/${data.id}`
  const renamed = (await api.patch(path, { name: 'New' })).data
  assert.deepEqual(renamed, { ...data, name: 'New' })
  const cleared = (await api.patch(path, { description: null, meeting_url: null })).data
  assert.deepEqual(cleared, { ...renamed, description: null, meeting_url: null })
  const replaced = (await api.patch(path, { attendee_emails: [ali.email] })).data
  assert.deepEqual(replaced.attendees, [{ name: 'Ali', email: ali.email }])
  assertRefused(await bySara.get(path), 404, 'not_found')
  assert.equal((await byAli.get(path)).status, 200)
  assert.deepEqual((await api.patch(path, { attendee_emails: [] })).data.attendees, [])
  assert.equal(
    (await api.patch(path, { starts_at: '2026-03-02T09:30' })).data.ends_at,
    data.ends_at,
  )
  assertInvalid(await api.patch(path, { starts_at: '2026-03-02T10:01' }), 'starts_at')
  assertInvalid(await api.patch(path, { starts_at: '2026-03-02' }), 'starts_at')
  const whole = { all_day: true, starts_at: '2026-03-02', ends_at: '2026-03-02' }
  assert.equal((await api.patch(path, whole)).data.ends_at, '2026-03-02T23:59:59+03:00')
  assert.equal((await api.patch(path, { starts_at: '2026-03-01' })).status, 200)
})

test('the organizer may attend too, and a person who has left still shows', async (t) => {
  const { api, sara } = await world(t)
  const attendee_emails = ['owner@company1.example', sara.email]
  const { data } = await api.post('/events', { ...good, attendee_emails })
  assert.equal(data.attendees.length, 2)
  sara.deactivate()
  const { attendees } = (await api.get(`/events/${data.id}`)).data
  assert.deepEqual(
    attendees.map((person: { name: string }) => person.name),
    ['Owner', 'Sara'],
  )
  assert.equal((await api.get('/events')).body.meta.total, 1)
})

test('a read-only company keeps its events as they are; archived projects have none', async (t) => {
  const { majlis, api } = await world(t)
  const { data } = await api.post('/events', good)
  majlis.set({ readOnly: true })
  assertRefused(await api.post('/events', good), 403, 'forbidden')
  assertRefused(await api.patch(`/events/${data.id}`, { name: 'X' }), 403, 'forbidden')
  assertRefused(await api.delete(`/events/${data.id}`), 403, 'forbidden')
  assert.equal((await api.get(`/events/${data.id}`)).status, 200)
})
