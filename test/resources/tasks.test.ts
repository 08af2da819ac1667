import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressings } from '../support/addressing.ts'
import { boot } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'

for (const at of addressings) {
  test(`${at.name}: a task is made with its title alone, and answers every field`, async (t) => {
    const { majlis, api } = await boot(t)
    const list = majlis.seed.project({ name: 'Shop' }).list({ title: 'Before opening' })
    const { status, data } = await api.post(`${at.list(list)}/tasks`, { title: ' راجع العقد ' })
    assert.equal(status, 201)
    assert.match(data.id, /^tsk-[0-9a-hjkmnp-tv-z]{10}$/)
    assert.deepEqual(data, {
      id: data.id,
      slug: 'راجع-العقد',
      title: 'راجع العقد',
      notes: null,
      completed: false,
      completed_at: null,
      due_at: null,
      time_spent_minutes: null,
      project_slug: 'shop',
      task_list_slug: 'before-opening',
      assignee: null,
      created_at: '2026-03-01T09:00:00Z',
    })
    assert.deepEqual((await api.get(`/tasks/${data.id}`)).data, data)
    assert.deepEqual(
      (await api.get(`${at.list(list)}/tasks`)).data,
      [data],
      'the page says the same',
    )
  })

  test(`${at.name}: a task is made with everything`, async (t) => {
    const { majlis, api } = await boot(t)
    const list = majlis.seed.list()
    const { name, email } = majlis.company.owner
    const sent = { title: 'A', notes: 'سطر\nLine <b>', due_at: '2028-02-29', assignee_email: email }
    const { data } = await api.post(`${at.list(list)}/tasks`, sent)
    assert.deepEqual(
      [data.notes, data.due_at, data.assignee],
      ['سطر\nLine <b>', '2028-02-29', { name, email }],
    )
    assert.deepEqual((await api.get(`${at.list(list)}/tasks`)).data[0], data)
  })

  test(`${at.name}: tasks come in the order they were made, in pages, with their total`, async (t) => {
    const { majlis, api } = await boot(t)
    const list = majlis.seed.list()
    for (const title of ['One', 'Two', 'Three']) list.task({ title })
    list.project.list().task({ title: 'Of another list' })
    const path = `${at.list(list)}/tasks`
    const all = (await api.get(path)).body
    assert.deepEqual(all.data.map(titleOf), ['One', 'Two', 'Three'])
    assert.deepEqual(all.meta, { total: 3, limit: 50, offset: 0, count: 3 })
    const page = (await api.get(`${path}?limit=2&offset=2`)).body
    assert.deepEqual(page.data.map(titleOf), ['Three'])
    assert.deepEqual(page.meta, { total: 3, limit: 2, offset: 2, count: 1 })
    assert.deepEqual((await api.get(`${path}?offset=3`)).data, [])
    assert.deepEqual((await api.get(`${path}?offset=9007199254740991`)).data, [])
  })

  test(`${at.name}: a task is shown, changed and cleared field by field`, async (t) => {
    const { majlis, api } = await boot(t)
    const email = majlis.company.owner.email
    const task = majlis.seed.task({ title: 'مهمة', notes: 'n', due_at: '2026-03-02' })
    const path = at.task(task)
    assert.equal((await api.get(path)).data.id, task.id)
    const assigned = await api.patch(path, { assignee_email: email.toUpperCase() })
    assert.equal(assigned.status, 200)
    assert.equal(assigned.data.assignee.email, email, 'addresses compare case-insensitively')
    assert.deepEqual(
      [assigned.data.title, assigned.data.notes, assigned.data.due_at],
      ['مهمة', 'n', '2026-03-02'],
      'what was not sent stays',
    )
    const sent = { notes: null, due_at: null, assignee_email: null }
    const { data } = await api.patch(path, sent)
    assert.deepEqual([data.notes, data.due_at, data.assignee], [null, null, null])
    assertInvalid(await api.patch(path, { title: null }), 'title')
    assert.deepEqual((await api.patch(path, {})).data, data, 'an empty change is fine')
  })

  test(`${at.name}: a new title makes a new slug, and the old one goes on resolving`, async (t) => {
    const { majlis, api } = await boot(t)
    const task = majlis.seed.task({ title: 'Old name' })
    const { data } = await api.patch(at.task(task), { title: 'New name' })
    assert.deepEqual([data.id, data.slug], [task.id, 'new-name'])
    const parent = `/projects/${task.list.project.id}/lists/${task.list.id}/tasks`
    for (const handle of ['old-name', 'new-name', task.id]) {
      assert.deepEqual((await api.get(`${parent}/${handle}`)).data, data, handle)
    }
    const second = (await api.post(parent, { title: 'Old name' })).data
    assert.equal(second.slug, 'old-name-2', 'a retired slug stays taken')
  })

  test(`${at.name}: a task is deleted for good, and the answer names it`, async (t) => {
    const { majlis, api } = await boot(t)
    const task = majlis.seed.task({ title: 'Gone' })
    task.comment('x')
    const { status, data } = await api.delete(at.task(task))
    assert.equal(status, 200)
    assert.deepEqual(data, { deleted: true, task: { title: 'Gone', id: task.id, slug: 'gone' } })
    assertRefused(await api.get(at.task(task)), 404, 'not_found')
    assertRefused(await api.get(`${at.task(task)}/comments`), 404, 'not_found')
    const list = (await api.get(`/lists/${task.list.id}`)).data
    assert.equal(list.tasks_count, 0)
    assert.equal(
      (await api.post(`/lists/${task.list.id}/tasks`, { title: 'Gone' })).data.slug,
      'gone',
    )
  })

  test(`${at.name}: one's own task may be deleted without a right, another's needs delete_any_task_or_list`, async (t) => {
    const { majlis, api } = await boot(t)
    const sara = majlis.seed.user({ email: 'sara@x.example' })
    const list = majlis.seed.list()
    const [own, others] = [list.task({ by: sara.email }), list.task()]
    const operations = ['tasks:destructive'] as const
    const key = { scope: 'write', creator: sara.email, operations: [...operations] } as const
    const plain = api.as(await majlis.key({ ...key, operations: [...operations] }))
    assertRefused(await plain.delete(at.task(others)), 403, 'forbidden')
    assert.equal((await plain.delete(at.task(own))).status, 200)
    const rights = ['delete_any_task_or_list'] as const
    const able = await majlis.key({ ...key, operations: [...operations], rights: [...rights] })
    assert.equal((await api.as(able).delete(at.task(others))).status, 200)
  })
}

const invalid: [body: Record<string, unknown>, field: string, why: string][] = [
  [{}, 'title', 'required'],
  [{ title: null }, 'title', 'required'],
  [{ title: '\u2003' }, 'title', 'blank'],
  [{ title: ['A'] }, 'title', 'no coercion'],
  [{ title: 'م'.repeat(256) }, 'title', 'too long'],
  [{ title: 'A\u0000' }, 'title', 'NUL'],
  [{ task: { title: 'A' } }, 'title', 'a wrapped body has no title'],
  [{ title: 'A', notes: {} }, 'notes', 'no coercion'],
  [{ title: 'A', notes: '🚀'.repeat(65_537) }, 'notes', 'too long'],
  [{ title: 'A', due_at: '2026-02-30' }, 'due_at', 'no such day'],
  [{ title: 'A', due_at: '2027-02-29' }, 'due_at', 'no leap year'],
  [{ title: 'A', due_at: '2026-3-1' }, 'due_at', 'not YYYY-MM-DD'],
  [{ title: 'A', due_at: '2026-03-01T00:00:00Z' }, 'due_at', 'a time is no date'],
  [{ title: 'A', due_at: '' }, 'due_at', 'empty is no date'],
  [{ title: 'A', due_at: 1_772_323_200 }, 'due_at', 'no coercion'],
  [{ title: 'A', assignee_email: 'nobody@x.example' }, 'assignee_email', 'nobody'],
  [{ title: 'A', assignee_email: '' }, 'assignee_email', 'nobody'],
  [{ title: 'A', assignee_email: 5 }, 'assignee_email', 'no coercion'],
  [{ title: 'A', assignee_email: ['a@b'] }, 'assignee_email', 'no coercion'],
]

for (const [body, field, why] of invalid) {
  test(`a task with ${JSON.stringify(body).slice(0, 50)} is 422 naming ${field}: ${why}`, async (t) => {
    const { majlis, api } = await boot(t)
    const list = majlis.seed.list()
    assertInvalid(await api.post(`/lists/${list.id}/tasks`, body), field)
    assert.equal((await api.get(`/lists/${list.id}`)).data.tasks_count, 0, 'nothing was made')
    const task = list.task({ title: 'Kept' })
    const before = (await api.get(`/tasks/${task.id}`)).data
    if ('title' in body || field !== 'title') {
      assertInvalid(await api.patch(`/tasks/${task.id}`, body), field)
      assert.deepEqual((await api.get(`/tasks/${task.id}`)).data, before, 'nothing was changed')
    }
  })
}

test('a task can be assigned to the active members of a private project and to nobody else', async (t) => {
  const { majlis, api } = await boot(t)
  const [member, stranger, left] = ['member', 'stranger', 'left'].map((name) =>
    majlis.seed.user({ name, email: `${name}@x.example` }),
  )
  const foreign = majlis.seed.company().owner
  const project = majlis.seed.project({ is_public: false })
  for (const person of [member, left]) project.addMember(person?.email as string)
  left?.deactivate()
  const path = `/lists/${project.list().id}/tasks`
  const assign = (email: string) => api.post(path, { title: 'A', assignee_email: email })
  assert.equal((await assign('member@x.example')).data.assignee.name, 'member')
  for (const { email } of [stranger, left, foreign] as { email: string }[]) {
    const answer = await assign(email)
    assertInvalid(answer, 'assignee_email')
    assert.ok(answer.message?.includes(email), 'the message names the address')
  }
  await api.patch(`/projects/${project.id}`, { is_public: true })
  assert.equal(
    (await assign('stranger@x.example')).status,
    201,
    'of a public one, everybody active',
  )
  assertInvalid(await assign('left@x.example'), 'assignee_email')
  assertInvalid(await assign(foreign.email), 'assignee_email')
})

test('a person who has left stays named on the tasks that are theirs, whatever else changes on them', async (t) => {
  const { majlis, api } = await boot(t)
  const sara = majlis.seed.user({ name: 'Sara', email: 'sara@x.example' })
  const list = majlis.seed.project({ is_public: true }).list()
  const task = list.task({ assignee_email: sara.email })
  sara.deactivate()
  const { data } = await api.patch(`/tasks/${task.id}`, { title: 'New' })
  assert.deepEqual([data.title, data.assignee], ['New', { name: 'Sara', email: 'sara@x.example' }])
  assertInvalid(
    await api.patch(`/tasks/${task.id}`, { assignee_email: sara.email }),
    'assignee_email',
  )
})

test('a page far down a long list is the one that walking there would find', async (t) => {
  const { majlis, api } = await boot(t)
  const list = majlis.seed.list()
  for (let number = 1; number <= 2_600; number++) list.task({ title: `Task ${number}` })
  const last = (await api.get(`/lists/${list.id}/tasks?offset=2599`)).data[0]
  await api.post(`/tasks/${last.id}/move`, { task_list_id: list.id, position: 1_025 })
  for (const offset of [1, 49, 1_022, 1_023, 1_024, 1_025, 2_047, 2_048, 2_598]) {
    const { data } = await api.get(`/lists/${list.id}/tasks?limit=3&offset=${offset}`)
    const places = [offset + 1, offset + 2, offset + 3].filter((place) => place <= 2_600)
    const expected = places.map((place) => {
      if (place === 1_025) return 'Task 2600'
      return `Task ${place < 1_025 ? place : place - 1}`
    })
    assert.deepEqual(data.map(titleOf), expected, `offset ${offset}`)
  }
})

function titleOf({ title }: { title: string }): string {
  return title
}
