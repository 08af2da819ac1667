import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressings } from '../support/addressing.ts'
import { boot } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'

for (const at of addressings) {
  test(`${at.name}: completing a task is idempotent and keeps the first time`, async (t) => {
    const { majlis, api } = await boot(t)
    const task = majlis.seed.task()
    const first = await api.post(`${at.task(task)}/complete`)
    assert.equal(first.status, 200)
    assert.deepEqual(
      [first.data.completed, first.data.completed_at],
      [true, '2026-03-01T09:00:00Z'],
    )
    majlis.clock.advance({ hours: 1 })
    const again = await api.post(`${at.task(task)}/complete`)
    assert.deepEqual([again.status, again.data], [200, first.data])
    const list = (await api.get(`/lists/${task.list.id}`)).data
    assert.equal(list.completed_tasks_count, 1, 'counted once')
  })

  test(`${at.name}: taking a completion back is idempotent too`, async (t) => {
    const { majlis, api } = await boot(t)
    const task = majlis.seed.task().complete()
    for (let i = 0; i < 2; i++) {
      const { status, data } = await api.post(`${at.task(task)}/incomplete`)
      assert.deepEqual([status, data.completed, data.completed_at], [200, false, null])
    }
    const list = (await api.get(`/lists/${task.list.id}`)).data
    assert.equal(list.completed_tasks_count, 0)
    majlis.clock.advance({ hours: 1 })
    const again = (await api.post(`${at.task(task)}/complete`)).data
    assert.equal(again.completed_at, '2026-03-01T10:00:00Z', 'a new completion has a new time')
  })

  test(`${at.name}: complete and incomplete take no body, and mind none`, async (t) => {
    const { majlis, api } = await boot(t)
    const task = majlis.seed.task()
    assert.equal((await api.post(`${at.task(task)}/complete`, 'not json')).status, 200)
    assert.equal(
      (await api.post(`${at.task(task)}/incomplete`, { completed: true })).data.completed,
      false,
    )
  })

  test(`${at.name}: time is recorded in any shape, replaces what was there, and is cleared by an empty text`, async (t) => {
    const { majlis, api } = await boot(t, { plan: 'productive' })
    const task = majlis.seed.task()
    const record = (time_spent: string) => api.post(`${at.task(task)}/time`, { time_spent })
    const shapes: [string, number | null][] = [
      ['1:30', 90],
      ['0.5', 30],
      ['45', 45],
      ['١:٠٥', 65],
      ['', null],
    ]
    for (const [sent, minutes] of shapes) {
      const { status, data } = await record(sent)
      assert.deepEqual([status, data.id, data.time_spent_minutes], [200, task.id, minutes], sent)
      assert.equal((await api.get(`/tasks/${task.id}`)).data.time_spent_minutes, minutes)
    }
  })

  test(`${at.name}: a refused time changes nothing`, async (t) => {
    const { majlis, api } = await boot(t, { plan: 'enterprise' })
    const task = majlis.seed.task().recordTime(20)
    const bad = [
      {},
      { time_spent: null },
      { time_spent: 90 },
      { time_spent: ['90'] },
      { time: '90' },
    ]
    for (const body of [...bad, ...['0', '0:00', '0.0', '-5', '1:5', 'x'].map(timeSpent)]) {
      assertInvalid(await api.post(`${at.task(task)}/time`, body), 'time_spent')
    }
    assert.equal((await api.get(`/tasks/${task.id}`)).data.time_spent_minutes, 20)
    const { message } = await api.post(`${at.task(task)}/time`, {})
    assert.equal(message, 'time_spent must be a string, such as "1:30", "1.5" or "90"')
  })

  test(`${at.name}: a plan without time tracking is 403 plan_upgrade_required, and nothing is recorded`, async (t) => {
    const { majlis, api } = await boot(t, { plan: 'advanced' })
    const task = majlis.seed.task()
    const answer = await api.post(`${at.task(task)}/time`, { time_spent: '0' })
    assertRefused(answer, 403, 'plan_upgrade_required')
    assert.equal(answer.headers.has('retry-after'), false)
    const { data } = await api.get(at.task(task))
    assert.equal(data.time_spent_minutes, null, 'and the field is there without the plan too')
    const unknown = await api.post('/tasks/tsk-0000000000/time', { time_spent: '1' })
    assertRefused(unknown, 403, 'plan_upgrade_required')
  })

  test(`${at.name}: an archived project freezes its tasks, and reads go on`, async (t) => {
    const { majlis, api } = await boot(t, { plan: 'productive' })
    const task = majlis.seed.task()
    const path = at.task(task)
    const before = (await api.get(path)).data
    task.list.project.archive()
    const writes: [string, string, unknown][] = [
      ['PATCH', path, { title: 'New' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/complete`, undefined],
      ['POST', `${path}/incomplete`, undefined],
      ['POST', `${path}/move`, { task_list_id: task.list.id }],
      ['POST', `${path}/time`, { time_spent: '1' }],
      ['POST', `${path}/comments`, { content: 'x' }],
      ['POST', `${at.list(task.list)}/tasks`, { title: 'x' }],
      ['POST', `${at.list(task.list)}/comments`, { content: 'x' }],
      ['PATCH', at.list(task.list), { title: 'x' }],
      ['DELETE', at.list(task.list), undefined],
    ]
    for (const [method, where, body] of writes) {
      assertRefused(await api.send(method, where, body), 403, 'forbidden')
    }
    assert.deepEqual((await api.get(path)).data, before)
  })
}

function timeSpent(time_spent: string) {
  return { time_spent }
}
