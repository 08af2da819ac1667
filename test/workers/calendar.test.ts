import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CalendarClient } from '../../src/caldav/client.ts'
import { CalendarFailure } from '../../src/caldav/failure.ts'
import { groupCommit } from '../../src/db/commit.ts'
import { openInMemory } from '../../src/db/open.ts'
import { connectionStore } from '../../src/resources/events/connections.ts'
import { calendarWorker } from '../../src/workers/calendar.ts'
import { eventually } from '../support/stored.ts'

/** A connected calendar with some objects that are to be removed from it. */
function workshop(t: TestContext, remove: CalendarClient['remove'], uids: readonly string[]) {
  const db = openInMemory()
  db.exec(`
    insert into companies (id, name, time_zone, plan, created_at, updated_at)
      values (1, 'C', 'UTC', 'advanced', 0, 0);
    insert into calendar_connections (id, company_id, url, username, sealed_password, created_at)
      values (1, 1, 'https://x.example/', 'u', x'00', 0)`)
  const connections = connectionStore(db)
  for (const uid of uids) connections.promise(1, uid, [], 0)
  let time = 0
  const worker = calendarWorker({
    connections,
    events: { byUid: () => undefined },
    clientOf: () => ({
      probe: () => assert.fail(),
      put: () => assert.fail(),
      get: async () => ({ text: '', etag: '"theirs"' }),
      remove,
    }),
    commit: groupCommit(db),
    now: () => time,
    onFault: (error) => assert.fail(String(error)),
  })
  t.after(async () => {
    await worker.stop()
    db.close()
  })
  worker.wake()
  return {
    jobs: () =>
      db.prepare<[], { state: string; attempts: number }>('select state, attempts from jobs').all(),
    lastError: () => db.prepare('select last_error from calendar_connections').pluck().get(),
    advance(milliseconds: number) {
      time += milliseconds
      worker.wake()
    },
  }
}

test('what only a person can mend is given up at once, and shown', async (t) => {
  const wrong = new CalendarFailure('The password is wrong.', { isPermanent: true })
  const { jobs, lastError } = workshop(t, () => Promise.reject(wrong), ['a'])
  await eventually(() => assert.deepEqual(jobs(), [{ state: 'failed', attempts: 1 }]))
  assert.equal(lastError(), 'The password is wrong.')
})

test('a calendar that does not answer is not asked for every event that waits for it', async (t) => {
  let asked = 0
  const uids = Array.from({ length: 20 }, (_, i) => `e${i}`)
  const { jobs, lastError, advance } = workshop(
    t,
    async () => {
      asked++
      if (asked <= 2) throw new CalendarFailure('It is down.', { isPermanent: false })
      return 'removed'
    },
    uids,
  )
  await eventually(() => assert.ok(jobs().every(({ attempts }) => attempts === 1)))
  assert.ok(asked <= 2, `asked ${asked} times`)
  assert.equal(lastError(), 'It is down.')
  advance(2_000)
  await eventually(() => assert.deepEqual(jobs(), []))
  assert.equal(lastError(), null)
})

test('what somebody else has changed is removed all the same', async (t) => {
  const etags: (string | null)[] = []
  const { jobs } = workshop(
    t,
    async (_, etag) => {
      etags.push(etag)
      return etag === '"theirs"' ? 'removed' : 'conflict'
    },
    ['a'],
  )
  await eventually(() => assert.deepEqual(jobs(), []))
  assert.deepEqual(etags, [null, '"theirs"'])
})

test('after a day of trying a change is given up', async (t) => {
  const down = new CalendarFailure('It is down.', { isPermanent: false })
  const { jobs, advance } = workshop(t, () => Promise.reject(down), ['a'])
  await eventually(() => assert.equal(jobs()[0]?.attempts, 1))
  advance(25 * 3_600_000)
  await eventually(() => assert.deepEqual(jobs(), [{ state: 'failed', attempts: 2 }]))
})
