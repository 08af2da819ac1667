import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
// By the package's own name and as it is shipped: what a stranger gets.
import { startMajlis } from 'majlis'

async function sandbox(t: TestContext) {
  const majlis = await startMajlis({ now: '2026-03-01T09:00:00Z', timeZone: 'Asia/Riyadh' })
  t.after(() => majlis.close())
  const headers = { authorization: `Bearer ${await majlis.key()}` }
  const send = async (method: string, path: string, body: object) => {
    const sent = { method, headers, body: JSON.stringify(body) }
    const { data } = (await (await fetch(majlis.baseUrl + path, sent)).json()) as {
      data: { id: number }
    }
    return data
  }
  return { majlis, send }
}

const meeting = { name: 'Kickoff', starts_at: '2026-03-02T09:00', ends_at: '2026-03-02T10:00' }

test('a test sees the mails that an event sends, with their invitations', async (t) => {
  const { majlis, send } = await sandbox(t)
  const { email } = majlis.seed.user({ name: 'Sara' })
  const { id } = await send('POST', '/events', { ...meeting, attendee_emails: [email] })
  await majlis.mails.settled()
  await send('PATCH', `/events/${id}`, { name: 'Kickoff, later' })
  await majlis.mails.settled()
  const [created, updated] = majlis.mails.all()
  assert.equal(created?.to.email, email)
  assert.match(created?.subject ?? '', /Kickoff/)
  assert.match(
    created?.calendar ?? '',
    /METHOD:REQUEST[\s\S]*SEQUENCE:0[\s\S]*DTSTART:20260302T060000Z/,
  )
  assert.match(updated?.calendar ?? '', /METHOD:REQUEST[\s\S]*SEQUENCE:1/)
})

test('a mail server that fails leaves notices waiting, and they are sent as the clock moves on', async (t) => {
  const { majlis } = await sandbox(t)
  const { email } = majlis.seed.user()
  majlis.mails.fail()
  majlis.seed.event({ attendee_emails: [email] })
  await assert.rejects(majlis.mails.settled(), /take none/)
  assert.deepEqual(majlis.mails.all(), [])
  majlis.mails.accept()
  for (let i = 0; i < 5; i++) {
    majlis.clock.advance({ minutes: 15 })
    await new Promise((resolve) => setTimeout(resolve, 300))
    if (majlis.mails.all().length > 0) break
  }
  assert.equal(majlis.mails.all().length, 1)
})

test('a connected calendar shows what was put into it, and what was taken out again', async (t) => {
  const { majlis, send } = await sandbox(t)
  const person = majlis.seed.user()
  const ofCompany = majlis.company.connectCalendar()
  const ofPerson = majlis.company.connectCalendar(person.email)
  const { id } = await send('POST', '/events', { ...meeting, attendee_emails: [person.email] })
  await majlis.mails.settled()
  for (const calendar of [ofCompany, ofPerson]) {
    assert.equal(calendar.objects().length, 1)
    assert.match(calendar.objects()[0] ?? '', /SUMMARY:Kickoff/)
    assert.doesNotMatch(calendar.objects()[0] ?? '', /METHOD/)
  }
  await send('PATCH', `/events/${id}`, { attendee_emails: [] })
  await majlis.mails.settled()
  assert.deepEqual([ofCompany.objects().length, ofPerson.objects().length], [1, 0])
})
