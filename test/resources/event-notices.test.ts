import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { boot } from '../support/boot.ts'
import { lookInto } from '../support/database.ts'
import { eventually } from '../support/stored.ts'

async function world(t: TestContext) {
  const { majlis, api } = await boot(t, { timeZone: 'Asia/Riyadh', storage: 'folder' })
  const sara = majlis.seed.user({ name: 'Sara', email: 'sara@company1.example' })
  const ali = majlis.seed.user({ name: 'علي', email: 'ali@company1.example' })
  const told = async () => {
    await majlis.mails.settled()
    return majlis.mails
      .all()
      .map(({ to, calendar }) => `${to.name} ${calendar?.match(/METHOD:(\w+)/)?.[1]}`)
  }
  const sequence = () =>
    majlis.mails.all().map(({ calendar }) => Number(calendar?.match(/SEQUENCE:(\d+)/)?.[1]))
  return { majlis, api, sara, ali, told, sequence }
}

const meeting = { name: 'Review', starts_at: '2026-03-02T09:00', ends_at: '2026-03-02T10:00' }

test('every attendee but the organizer is told of a new event', async (t) => {
  const { api, sara, ali, told } = await world(t)
  const attendee_emails = ['owner@company1.example', sara.email, ali.email]
  await api.post('/events', { ...meeting, attendee_emails })
  assert.deepEqual((await told()).sort(), ['Sara REQUEST', 'علي REQUEST'])
})

test('of a change those who stay, those who come and those who go are told, each in their way', async (t) => {
  const { majlis, api, sara, ali, told, sequence } = await world(t)
  const { id } = (await api.post('/events', { ...meeting, attendee_emails: [sara.email] })).data
  await told()
  await api.patch(`/events/${id}`, { name: 'Later', attendee_emails: [sara.email, ali.email] })
  assert.deepEqual((await told()).slice(1).sort(), ['Sara REQUEST', 'علي REQUEST'])
  await api.patch(`/events/${id}`, { attendee_emails: [ali.email] })
  assert.deepEqual((await told()).slice(3).sort(), ['Sara CANCEL', 'علي REQUEST'])
  await api.delete(`/events/${id}`)
  assert.deepEqual((await told()).slice(5), ['علي CANCEL'])
  assert.deepEqual(sequence(), [0, 1, 1, 2, 2, 3])
  const uids = majlis.mails.all().map(({ calendar }) => calendar?.match(/UID:(.+)/)?.[1])
  assert.equal(new Set(uids).size, 1)
})

test('a change that changes nothing tells nobody', async (t) => {
  const { api, sara, told } = await world(t)
  const { id } = (await api.post('/events', { ...meeting, attendee_emails: [sara.email] })).data
  const same = { name: 'Review', starts_at: '2026-03-02T06:00:00Z', attendee_emails: [sara.email] }
  assert.equal((await api.patch(`/events/${id}`, same)).status, 200)
  assert.equal((await told()).length, 1)
})

test('a mail tells of the event as it was when it was promised', async (t) => {
  const { majlis, api, sara, told } = await world(t)
  majlis.mails.fail()
  const { id } = (await api.post('/events', { ...meeting, attendee_emails: [sara.email] })).data
  const tried = () =>
    lookInto<{ attempts: number }>(majlis, 'select attempts from notifications')[0]?.attempts
  await eventually(() => assert.equal(tried(), 1))
  await api.delete(`/events/${id}`)
  majlis.mails.accept()
  await new Promise((resolve) => setTimeout(resolve, 30))
  assert.deepEqual(majlis.mails.all(), [], 'what came later does not overtake')
  majlis.clock.advance({ hours: 1 })
  assert.deepEqual(await told(), ['Sara REQUEST', 'Sara CANCEL'])
  assert.match(majlis.mails.all()[0]?.calendar ?? '', /SUMMARY:Review/)
})

test('the audience of a discussion is told by mail; of one that was deleted meanwhile nobody is', async (t) => {
  const { majlis, api } = await world(t)
  const project = majlis.seed.project({ name: 'المتجر', is_public: true })
  majlis.mails.fail()
  const gone = (await api.post(`/projects/${project.id}/discussions`, { title: 'Gone' })).data
  await api.delete(`/discussions/${gone.id}`)
  majlis.mails.accept()
  await api.post(`/projects/${project.id}/discussions`, { title: 'أي يوم؟', body: 'الأحد؟' })
  majlis.clock.advance({ hours: 1 })
  await majlis.mails.settled()
  const mails = majlis.mails.all()
  assert.deepEqual(mails.map(({ to }) => to.name).sort(), ['Sara', 'علي'])
  assert.ok(
    mails.every(({ subject, text }) => subject.includes('أي يوم؟') && text.includes('الأحد؟')),
  )
  assert.equal(mails[0]?.calendar, null)
})

test('nothing goes to the calendar of who has left, nor is a notice written', async (t) => {
  const { majlis, api, sara } = await world(t)
  const calendar = majlis.company.connectCalendar(sara.email)
  const { id } = (await api.post('/events', { ...meeting, attendee_emails: [sara.email] })).data
  await majlis.mails.settled()
  assert.equal(calendar.objects().length, 1)
  sara.deactivate()
  await api.patch(`/events/${id}`, { name: 'Secret' })
  await majlis.mails.settled()
  assert.doesNotMatch(calendar.objects().join(), /Secret/)
  assert.equal(lookInto(majlis, 'select id from notifications').length, 1)
})

test('who has left is told nothing any more', async (t) => {
  const { majlis, api, sara } = await world(t)
  majlis.mails.fail()
  await api.post('/events', { ...meeting, attendee_emails: [sara.email] })
  const attempts = () =>
    lookInto<{ attempts: number }>(majlis, 'select attempts from notifications')
  await eventually(() => assert.deepEqual(attempts(), [{ attempts: 1 }]))
  sara.deactivate()
  majlis.mails.accept()
  majlis.clock.advance({ hours: 1 })
  await majlis.mails.settled()
  assert.deepEqual(majlis.mails.all(), [])
})

test('a mail that cannot be sent for a day is given up, and its reason is kept', async (t) => {
  const { majlis, api, sara } = await world(t)
  majlis.mails.fail()
  await api.post('/events', { ...meeting, attendee_emails: [sara.email] })
  const notice = () =>
    lookInto(majlis, 'select state, attempts, last_error from notifications')[0] as {
      state: string
      attempts: number
      last_error: string
    }
  await eventually(() => assert.equal(notice().attempts, 1))
  majlis.clock.advance({ hours: 12 })
  await eventually(() => assert.equal(notice().attempts, 2))
  assert.equal(notice().state, 'pending')
  majlis.clock.advance({ hours: 13 })
  await eventually(() => assert.equal(notice().state, 'failed'))
  assert.match(notice().last_error, /mail server fails/)
})

test('a calendar object asks its server to invite nobody by itself, and a mail does not', async (t) => {
  const { majlis, api, sara } = await world(t)
  const calendar = majlis.company.connectCalendar()
  await api.post('/events', { ...meeting, attendee_emails: [sara.email] })
  await majlis.mails.settled()
  const unfolded = (text = '') => text.replaceAll('\r\n ', '')
  const object = unfolded(calendar.objects()[0])
  assert.match(object, /ORGANIZER[^\n]*SCHEDULE-AGENT=CLIENT/)
  assert.match(object, /ATTENDEE[^\n]*SCHEDULE-AGENT=CLIENT/)
  assert.doesNotMatch(unfolded(majlis.mails.all()[0]?.calendar ?? ''), /SCHEDULE-AGENT/)
})

test('a notice keeps the beginning of a long description only', async (t) => {
  const { majlis, api, sara } = await world(t)
  const description = 'ع'.repeat(60_000)
  const body = { ...meeting, description, attendee_emails: [sara.email] }
  assert.equal((await api.post('/events', body)).data.description, description)
  const [row] = lookInto<{ payload: string }>(majlis, 'select payload from notifications')
  assert.ok((row?.payload.length ?? 0) < 7_000)
})

test('an event that was moved can be removed by the sandbox, and is counted no more', async (t) => {
  const { majlis, api } = await world(t)
  const event = majlis.seed.event()
  const later = { starts_at: '2026-05-01T09:00', ends_at: '2026-05-01T10:00' }
  await api.patch(`/events/${event.id}`, later)
  event.remove()
  assert.equal((await api.get('/events')).body.meta.total, 0)
})

test('the language of the company comes first', async (t) => {
  const { majlis, api, sara } = await world(t)
  await api.post('/events', { ...meeting, attendee_emails: [sara.email] })
  majlis.set({ language: 'en' })
  await majlis.mails.settled()
  await api.post('/events', { ...meeting, attendee_emails: [sara.email] })
  await majlis.mails.settled()
  const [arabic, english] = majlis.mails.all().map(({ html }) => html)
  const order = (html = '') => html.indexOf('lang="ar"') < html.indexOf('lang="en"')
  assert.deepEqual(
    [arabic, english].map((html) => html?.includes('dir="rtl"')),
    [true, true],
  )
  assert.notEqual(
    order(arabic?.slice(arabic.indexOf('<body'))),
    order(english?.slice(english.indexOf('<body'))),
  )
})
