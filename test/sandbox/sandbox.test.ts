import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
// By the package's own name and as it is shipped: what a stranger gets.
import { startMajlis } from 'majlis'

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

test('a stranger starts a server, makes a key and calls the API', async () => {
  const majlis = await startMajlis()
  const response = await fetch(`${majlis.baseUrl}/me`, bearer(await majlis.key()))
  assert.equal(response.status, 200)
  assert.equal(majlis.baseUrl, `${majlis.url}/api/v1`)
  await majlis.close()
  await assert.rejects(fetch(`${majlis.url}/healthz`))
})

test('two sandboxes beside each other know nothing of one another', async () => {
  const [a, b] = await Promise.all([startMajlis(), startMajlis()])
  a.seed.project({ name: 'Only in a' })
  const list = async (m: typeof a) =>
    (await (await fetch(`${m.baseUrl}/projects`, bearer(await m.key()))).json()) as {
      meta: { total: number }
    }
  assert.equal((await list(a)).meta.total, 1)
  assert.equal((await list(b)).meta.total, 0)
  await Promise.all([a.close(), b.close()])
})

test('the clock stands still until it is moved, over midnight too', async () => {
  const majlis = await startMajlis({
    now: '2026-03-01T20:59:00Z',
    timeZone: 'Asia/Riyadh',
    dailyLimit: 1,
  })
  const key = await majlis.key()
  const status = async () => (await fetch(`${majlis.baseUrl}/me`, bearer(key))).status
  assert.deepEqual([await status(), await status()], [200, 429])
  majlis.clock.advance({ minutes: 1 })
  assert.deepEqual([await status(), await status()], [200, 429])
  majlis.clock.set('2026-04-01T00:00:00Z')
  assert.equal(await status(), 200)
  assert.equal(new Date(majlis.clock.now()).toISOString(), '2026-04-01T00:00:00.000Z')
  assert.throws(() => majlis.clock.set('yesterday'), /no time/)
  await majlis.close()
})

test('plan, flag, quota and read-only are switched while it runs', async () => {
  const majlis = await startMajlis()
  const key = await majlis.key()
  const call = async (init: RequestInit = {}) =>
    (await fetch(`${majlis.baseUrl}/projects`, { ...init, ...bearer(key) })).status
  assert.equal(await call(), 200)
  majlis.set({ restApi: false })
  assert.equal(await call(), 404)
  majlis.set({ restApi: true, plan: 'free' })
  assert.equal(await call(), 403)
  majlis.set({ plan: 'advanced', readOnly: true })
  assert.equal(await call({ method: 'POST', body: '{"name":"A"}' }), 403)
  majlis.set({ readOnly: false, dailyLimit: 1 })
  assert.equal(await call(), 429)
  await majlis.close()
})

test('a temporary folder is there while it runs and gone after it', async () => {
  const majlis = await startMajlis({ storage: 'folder' })
  assert.ok(majlis.folder !== null && existsSync(majlis.folder))
  await majlis.close()
  assert.equal(existsSync(majlis.folder), false)
})

test('burst limits are off unless a test asks for them', async () => {
  const majlis = await startMajlis({ burstPerKey: 1 })
  const key = await majlis.key()
  const status = async () => (await fetch(`${majlis.baseUrl}/me`, bearer(key))).status
  assert.deepEqual([await status(), await status()], [200, 429])
  await majlis.close()
})

test('lists, tasks, comments and discussions are seeded in one line each', async () => {
  const majlis = await startMajlis({ now: '2026-03-01T09:00:00Z' })
  const key = await majlis.key()
  const get = async (path: string) =>
    ((await (await fetch(majlis.baseUrl + path, bearer(key))).json()) as { data: unknown }).data
  const task = majlis.seed.task({ title: 'راجع العقد', notes: 'n', due_at: '2026-03-15' })
  task.list.comment('on the list')
  task.comment({ html: '<p>see <img alt="plan.png"></p>' })
  const other = task.list.project.list({ title: 'Later', priority: 'low' })
  const moved = task.rename('Renamed').complete().recordTime(90).moveTo(other, 1)
  assert.deepEqual([moved.list.id, moved.slug], [other.id, 'renamed'])
  const shown = (await get(`/tasks/${task.id}`)) as Record<string, unknown>
  assert.deepEqual(
    [shown.completed, shown.time_spent_minutes, shown.notes, shown.task_list_slug],
    [true, 90, 'n', 'later'],
  )
  const [comment] = (await get(`/tasks/${task.id}/comments`)) as Record<string, unknown>[]
  assert.deepEqual([comment?.content, comment?.attachments], ['see', ['plan.png']])
  const topic = majlis.seed.discussion({ title: 'T', category: 'News' })
  topic.reply('yes')
  const seen = (await get(`/discussions/${topic.id}`)) as Record<string, unknown>
  assert.deepEqual([seen.category, seen.replies_count], ['News', 1])
  moved.reopen().remove()
  other.rename('Gone').remove()
  assert.throws(() => moved.complete(), /There is no tsk-/)
  await majlis.close()
})
