import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeededList } from '../../src/index.ts'
import { addressings } from '../support/addressing.ts'
import { boot } from '../support/boot.ts'
import { type Api, assertInvalid, assertRefused } from '../support/client.ts'
import { lookInto } from '../support/database.ts'

async function titles(api: Api, list: SeededList): Promise<string> {
  const { data } = await api.get(`/lists/${list.id}/tasks`)
  return data.map(({ title }: { title: string }) => title).join('')
}

function listOf(list: SeededList, letters: string) {
  return Object.fromEntries([...letters].map((title) => [title, list.task({ title })]))
}

const places: [task: string, position: number | undefined, order: string, why: string][] = [
  ['A', 1, 'ABCD', 'where it is'],
  ['A', 2, 'BACD', 'one down'],
  ['A', 3, 'BCAD', 'two down'],
  ['A', 4, 'BCDA', 'last'],
  ['A', 99, 'BCDA', 'past the end is last'],
  ['A', 1e300, 'BCDA', 'far past the end is last'],
  ['A', undefined, 'BCDA', 'last unless said otherwise'],
  ['D', 1, 'DABC', 'first'],
  ['D', undefined, 'ABCD', 'last stays last'],
  ['C', 2, 'ACBD', 'one up'],
]

for (const at of addressings) {
  for (const [which, position, order, why] of places) {
    test(`${at.name}: of ABCD, ${which} moved to ${position} gives ${order}: ${why}`, async (t) => {
      const { majlis, api } = await boot(t)
      const list = majlis.seed.list()
      const task = listOf(list, 'ABCD')[which]
      if (!task) throw new Error('no such task')
      const body = { task_list_id: list.id, ...(position === undefined ? {} : { position }) }
      for (let again = 0; again < 2; again++) {
        const { status, data } = await api.post(`${at.task(task)}/move`, body)
        assert.deepEqual([status, data.id, data.slug], [200, task.id, task.slug])
        assert.equal(await titles(api, list), order)
      }
      assert.equal((await api.get(`/lists/${list.id}`)).data.tasks_count, 4)
    })
  }

  test(`${at.name}: a task moves to a list of another project, by its ref, with its state and counters`, async (t) => {
    const { majlis, api } = await boot(t)
    const [from, to] = [majlis.seed.list({ title: 'From' }), majlis.seed.list({ title: 'To' })]
    listOf(to, 'XY')
    const task = from.task({ title: 'M' }).complete()
    task.comment('stays with it')
    const { status, data } = await api.post(`${at.task(task)}/move`, {
      task_list_id: to.id,
      position: 2,
    })
    assert.equal(status, 200)
    assert.deepEqual(
      [data.id, data.completed, data.task_list_slug, data.project_slug],
      [task.id, true, 'to', to.project.slug],
    )
    assert.equal(await titles(api, to), 'XMY')
    assert.equal((await api.get(`/tasks/${task.id}/comments`)).body.meta.total, 1)
    const counts = async (list: SeededList) => {
      const { tasks_count, completed_tasks_count } = (await api.get(`/lists/${list.id}`)).data
      const project = (await api.get(`/projects/${list.project.id}`)).data
      return [tasks_count, completed_tasks_count, project.tasks_count]
    }
    assert.deepEqual(await counts(from), [0, 0, 0])
    assert.deepEqual(await counts(to), [3, 1, 3])
  })

  test(`${at.name}: after a move the old nested address is 404, and the new one answers`, async (t) => {
    const { majlis, api } = await boot(t)
    const from = majlis.seed.list({ title: 'From' })
    const to = from.project.list({ title: 'To' })
    const task = from.task({ title: 'Old' }).rename('New')
    await api.post(`${at.task(task)}/move`, { task_list_id: 'to' })
    const under = (list: string, handle: string) =>
      api.get(`/projects/${from.project.id}/lists/${list}/tasks/${handle}`)
    for (const handle of [task.id, 'new', 'old']) {
      assertRefused(await under('from', handle), 404, 'not_found')
      assert.equal((await under(to.slug, handle)).data?.id, task.id, handle)
    }
    assert.equal((await api.get(`/tasks/${task.id}`)).data.task_list_slug, 'to')
    const fresh = (await api.post(`/lists/${from.id}/tasks`, { title: 'New' })).data
    assert.equal(fresh.slug, 'new', 'the slug that it left behind is free')
  })

  test(`${at.name}: a slug stays unique in the list that a task moves to, and comes back when it returns`, async (t) => {
    const { majlis, api } = await boot(t)
    const [from, to] = [majlis.seed.list(), majlis.seed.list()]
    to.task({ title: 'Same' }).rename('Other')
    to.task({ title: 'Same' })
    const task = from.task({ title: 'Same' })
    const moved = (await api.post(`${at.task(task)}/move`, { task_list_id: to.id })).data
    assert.equal(moved.slug, 'same-3', 'same is retired, same-2 is taken')
    const back = (await api.post(`/tasks/${task.id}/move`, { task_list_id: from.id })).data
    assert.equal(back.slug, 'same')
  })

  test(`${at.name}: a task whose slug had a number takes the plain one where it is free, and leaves the number`, async (t) => {
    const { majlis, api } = await boot(t)
    const [from, to] = [majlis.seed.list(), majlis.seed.list()]
    from.task({ title: 'Same' })
    const second = from.task({ title: 'Same' })
    const moved = (await api.post(`${at.task(second)}/move`, { task_list_id: to.id })).data
    const next = (await api.post(`/lists/${to.id}/tasks`, { title: 'Same' })).data
    assert.deepEqual([second.slug, moved.slug, next.slug], ['same-2', 'same', 'same-2'])
  })

  test(`${at.name}: where a task cannot go is 422 naming task_list_id or position, and it stays`, async (t) => {
    const { majlis, api } = await boot(t)
    const task = majlis.seed.list({ title: 'Here' }).task()
    const elsewhere = majlis.seed.list({ title: 'Elsewhere' })
    const foreign = majlis.seed.company().list({ title: 'Theirs' })
    const gone = majlis.seed.list({ title: 'Gone' })
    gone.remove()
    const inDeleted = majlis.seed.list({ title: 'Below' })
    inDeleted.project.remove()
    const before = (await api.get(at.task(task))).data
    const bad: [Record<string, unknown>, string][] = [
      [{}, 'task_list_id'],
      [{ task_list_id: null }, 'task_list_id'],
      [{ task_list_id: 5 }, 'task_list_id'],
      [{ task_list_id: '' }, 'task_list_id'],
      [{ task_list_id: 'lst-0000000000' }, 'task_list_id'],
      [{ task_list_id: task.id }, 'task_list_id'],
      [{ task_list_id: elsewhere.project.id }, 'task_list_id'],
      [{ task_list_id: elsewhere.slug }, 'task_list_id'],
      [{ task_list_id: foreign.id }, 'task_list_id'],
      [{ task_list_id: foreign.slug }, 'task_list_id'],
      [{ task_list_id: gone.id }, 'task_list_id'],
      [{ task_list_id: inDeleted.id }, 'task_list_id'],
      [{ task_list_id: elsewhere.id, position: 0 }, 'position'],
      [{ task_list_id: elsewhere.id, position: -1 }, 'position'],
      [{ task_list_id: elsewhere.id, position: 1.5 }, 'position'],
      [{ task_list_id: elsewhere.id, position: '1' }, 'position'],
      [{ task_list_id: elsewhere.id, position: null }, 'position'],
      [{ task_list_id: elsewhere.id, position: true }, 'position'],
    ]
    for (const [body, field] of bad) {
      assertInvalid(await api.post(`${at.task(task)}/move`, body), field)
    }
    assert.deepEqual((await api.get(at.task(task))).data, before)
  })

  test(`${at.name}: into and out of an archived project is 403, audited, and nothing moves`, async (t) => {
    const { majlis, api } = await boot(t, { storage: 'folder' })
    const [from, to] = [majlis.seed.list(), majlis.seed.list()]
    const task = from.task({ title: 'M' })
    const archived = to.project.archive()
    const into = await api.post(`${at.task(task)}/move`, { task_list_id: to.id })
    assertRefused(into, 403, 'forbidden')
    archived.unarchive()
    from.project.archive()
    assertRefused(
      await api.post(`${at.task(task)}/move`, { task_list_id: to.id }),
      403,
      'forbidden',
    )
    assert.deepEqual([await titles(api, from), await titles(api, to)], ['M', ''])
    const denied = "select path from audit_entries where outcome = 'denied' and status = 403"
    assert.equal(lookInto(majlis, denied).length, 2)
  })
}

test('a task moves by a retired slug of a list in its own project', async (t) => {
  const { majlis, api } = await boot(t)
  const list = majlis.seed.list({ title: 'Here' })
  const target = list.project.list({ title: 'Before' }).rename('After')
  const task = list.task()
  await api.post(`/tasks/${task.id}/move`, { task_list_id: 'before' })
  assert.equal((await api.get(`/tasks/${task.id}`)).data.task_list_slug, target.slug)
})

test('a message names a long handle by its beginning', async (t) => {
  const { majlis, api } = await boot(t)
  const task = majlis.seed.task()
  const long = 'م'.repeat(10_000)
  const moved = await api.post(`/tasks/${task.id}/move`, { task_list_id: long })
  const assigned = await api.patch(`/tasks/${task.id}`, { assignee_email: long })
  for (const { message = '' } of [moved, assigned]) {
    assert.ok(message.includes(`"${'م'.repeat(100)}…"`))
    assert.ok(message.length < 400, String(message.length))
  }
})
