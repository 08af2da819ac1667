import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressings } from '../support/addressing.ts'
import { boot } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'

test('a task list is made with its title alone, and answers every field', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project({ name: 'إطلاق المتجر' })
  const { status, data } = await api.post(`/projects/${project.id}/lists`, {
    title: ' قبل الافتتاح ',
  })
  assert.equal(status, 201)
  assert.match(data.id, /^lst-[0-9a-hjkmnp-tv-z]{10}$/)
  assert.deepEqual(data, {
    id: data.id,
    slug: 'قبل-الافتتاح',
    title: 'قبل الافتتاح',
    notes: null,
    priority: null,
    completed: false,
    completed_at: null,
    tasks_count: 0,
    completed_tasks_count: 0,
    project_slug: 'إطلاق-المتجر',
    created_at: '2026-03-01T09:00:00Z',
  })
  assert.deepEqual((await api.get(`/lists/${data.id}`)).data, data)
})

test('the lists of a project come oldest first, in pages, with their total', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  for (const title of ['One', 'Two', 'Three']) project.list({ title })
  majlis.seed.list({ title: 'Of another project' })
  const all = (await api.get(`/projects/${project.slug}/lists`)).body
  assert.deepEqual(titles(all), ['One', 'Two', 'Three'])
  assert.deepEqual(all.meta, { total: 3, limit: 50, offset: 0, count: 3 })
  const page = (await api.get(`/projects/${project.slug}/lists?limit=1&offset=1`)).body
  assert.deepEqual(titles(page), ['Two'])
  assert.deepEqual(page.meta, { total: 3, limit: 1, offset: 1, count: 1 })
  const beyond = (await api.get(`/projects/${project.slug}/lists?offset=9`)).body
  assert.deepEqual(beyond, { data: [], meta: { total: 3, limit: 50, offset: 9, count: 0 } })
})

const invalid: [body: Record<string, unknown>, field: string, why: string][] = [
  [{}, 'title', 'required'],
  [{ title: null }, 'title', 'required'],
  [{ title: ' \n' }, 'title', 'blank'],
  [{ title: 7 }, 'title', 'no coercion'],
  [{ title: 'x'.repeat(256) }, 'title', 'too long'],
  [{ list: { title: 'A' } }, 'title', 'a body wrapped in a parent key has no title'],
  [{ title: 'A', notes: 5 }, 'notes', 'no coercion'],
  [{ title: 'A', notes: 'x'.repeat(65_537) }, 'notes', 'too long'],
  [{ title: 'A', notes: 'a\u0000' }, 'notes', 'NUL'],
  [{ title: 'A', priority: 'High' }, 'priority', 'the words are lower case'],
  [{ title: 'A', priority: '' }, 'priority', 'none of the words'],
  [{ title: 'A', priority: 1 }, 'priority', 'no coercion'],
  [{ title: 'A', priority: 'critical' }, 'priority', 'none of the words'],
]

for (const [body, field, why] of invalid) {
  test(`a list with ${JSON.stringify(body).slice(0, 50)} is 422 naming ${field}: ${why}`, async (t) => {
    const { majlis, api } = await boot(t)
    const project = majlis.seed.project()
    assertInvalid(await api.post(`/projects/${project.id}/lists`, body), field)
    const { data } = await api.get(`/projects/${project.id}`)
    assert.equal(data.task_lists_count, 0, 'nothing was made')
  })
}

for (const priority of ['low', 'medium', 'high', 'urgent', null]) {
  test(`a list may have the priority ${priority}`, async (t) => {
    const { majlis, api } = await boot(t)
    const path = `/projects/${majlis.seed.project().id}/lists`
    assert.equal((await api.post(path, { title: 'A', priority })).data.priority, priority)
  })
}

test('unknown fields are dropped, and counters cannot be set', async (t) => {
  const { majlis, api } = await boot(t)
  const path = `/projects/${majlis.seed.project().id}/lists`
  const sent = {
    title: 'A',
    prioritty: 'low',
    tasks_count: 9,
    completed: true,
    id: 'lst-x',
    slug: 'z',
  }
  const { status, data } = await api.post(path, sent)
  assert.equal(status, 201)
  assert.deepEqual(
    [data.priority, data.tasks_count, data.completed, data.slug],
    [null, 0, false, 'a'],
  )
})

for (const at of addressings) {
  test(`${at.name}: a list is shown, changed and cleared field by field`, async (t) => {
    const { majlis, api } = await boot(t)
    const list = majlis.seed.list({ title: 'قائمة', notes: 'Before', priority: 'low' })
    assert.equal((await api.get(at.list(list))).data.id, list.id)
    const changed = await api.patch(at.list(list), { notes: 'After\nwards', priority: 'urgent' })
    assert.equal(changed.status, 200)
    const { title, notes, priority } = changed.data
    assert.deepEqual([title, notes, priority], ['قائمة', 'After\nwards', 'urgent'])
    const cleared = (await api.patch(at.list(list), { notes: null, priority: null })).data
    assert.deepEqual([cleared.notes, cleared.priority], [null, null])
    for (const sent of [{ title: null }, { title: '' }, { priority: 'x' }, { notes: 1 }]) {
      assertInvalid(await api.patch(at.list(list), sent), Object.keys(sent)[0] as string)
    }
    assert.deepEqual(
      (await api.get(at.list(list))).data,
      cleared,
      'a refused change changes nothing',
    )
  })

  test(`${at.name}: a new title makes a new slug, and the old one goes on resolving`, async (t) => {
    const { majlis, api } = await boot(t)
    const list = majlis.seed.list({ title: 'Old name' })
    const { data } = await api.patch(at.list(list), { title: 'اسم جديد' })
    assert.deepEqual([data.id, data.slug], [list.id, 'اسم-جديد'])
    for (const slug of ['old-name', encodeURIComponent('اسم-جديد'), list.id]) {
      const found = await api.get(`/projects/${list.project.id}/lists/${slug}`)
      assert.deepEqual(found.data, data, slug)
    }
    const back = (await api.patch(at.list(list), { title: 'Old name' })).data
    assert.equal(back.slug, 'old-name', 'renaming back takes the own slug back')
  })

  test(`${at.name}: deleting a list destroys its tasks and says how many`, async (t) => {
    const { majlis, api } = await boot(t)
    const list = majlis.seed.list({ title: 'Gone' })
    const tasks = [list.task(), list.task().complete(), list.task()]
    tasks[0]?.comment('x')
    list.comment('y')
    const kept = list.project.list({ title: 'Kept' }).task()
    const answer = await api.delete(at.list(list))
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.data, {
      deleted: true,
      task_list: { title: 'Gone', id: list.id, slug: 'gone' },
      deleted_tasks: 3,
    })
    assertRefused(await api.get(at.list(list)), 404, 'not_found')
    for (const task of tasks) assertRefused(await api.get(`/tasks/${task.id}`), 404, 'not_found')
    assert.equal((await api.get(`/tasks/${kept.id}`)).status, 200)
    const project = (await api.get(`/projects/${list.project.id}`)).data
    assert.deepEqual([project.task_lists_count, project.tasks_count], [1, 1])
    assertRefused(await api.delete(at.list(list)), 404, 'not_found')
  })

  test(`${at.name}: deleting a list needs delete_any_task_or_list, also for its creator`, async (t) => {
    const { majlis, api } = await boot(t)
    const list = majlis.seed.list()
    const creator = await majlis.key({ scope: 'write', operations: ['task_lists:destructive'] })
    assertRefused(await api.as(creator).delete(at.list(list)), 403, 'forbidden')
    assert.equal((await api.get(at.list(list))).status, 200)
    const able = await majlis.key({
      scope: 'write',
      operations: ['task_lists:destructive'],
      rights: ['delete_any_task_or_list'],
    })
    assert.equal((await api.as(able).delete(at.list(list))).data.deleted_tasks, 0)
  })
}

test('a list is completed once it has tasks and all are completed; the last completion is its time', async (t) => {
  const { majlis, api } = await boot(t)
  const list = majlis.seed.list()
  const state = async () => {
    const { data } = await api.get(`/lists/${list.id}`)
    return [data.completed, data.completed_at, data.completed_tasks_count, data.tasks_count]
  }
  assert.deepEqual(await state(), [false, null, 0, 0], 'an empty list is not completed')
  const [first, second] = [list.task(), list.task()]
  majlis.clock.set('2026-03-02T08:00:00Z')
  await api.post(`/tasks/${second.id}/complete`)
  assert.deepEqual(await state(), [false, null, 1, 2])
  majlis.clock.set('2026-03-03T08:00:00Z')
  await api.post(`/tasks/${first.id}/complete`)
  assert.deepEqual(await state(), [true, '2026-03-03T08:00:00Z', 2, 2])
  await api.delete(`/tasks/${first.id}`)
  assert.deepEqual(await state(), [true, '2026-03-02T08:00:00Z', 1, 1], 'of those that are there')
  const third = list.task()
  assert.deepEqual(await state(), [false, null, 1, 2], 'a new task reopens it')
  await api.delete(`/tasks/${third.id}`)
  await api.post(`/tasks/${second.id}/incomplete`)
  assert.deepEqual(await state(), [false, null, 0, 1])
  await api.delete(`/tasks/${second.id}`)
  assert.deepEqual(await state(), [false, null, 0, 0])
  const listed = (await api.get(`/projects/${list.project.id}/lists`)).data[0]
  assert.equal(listed.completed, false, 'the collection says the same')
})

function titles(body: { data: { title: string }[] }): string[] {
  return body.data.map(({ title }) => title)
}
