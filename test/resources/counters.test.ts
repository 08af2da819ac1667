import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkDatabase } from '../../src/admin/check-database.ts'
import type { Sandbox, SeededList } from '../../src/index.ts'
import { boot } from '../support/boot.ts'
import type { Answer, Api } from '../support/client.ts'
import { openForWriting } from '../support/database.ts'

/** One random request on lists and tasks; the numbers choose among those that are there. */
interface Request {
  kind: 'create' | 'complete' | 'incomplete' | 'move' | 'delete' | 'deleteList' | 'comment'
  task: number
  list: number
  position: number | null
}

const requests = fc.record({
  kind: fc.constantFrom<Request['kind']>(
    'create',
    'create',
    'create',
    'complete',
    'complete',
    'incomplete',
    'move',
    'move',
    'move',
    'delete',
    'deleteList',
    'comment',
  ),
  task: fc.nat(40),
  list: fc.nat(3),
  position: fc.option(fc.integer({ min: 1, max: 12 })),
})

interface ModelTask {
  id: string
  isDone: boolean
}

/** What the lists must hold: plain arrays, in order. */
type Model = Map<string, ModelTask[]>

test('after any creates, completions, moves and deletions every list is what a plain model says', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder', plan: 'enterprise' })
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { maxLength: 40 }), async (sequence) => {
      const lists = fourLists(majlis)
      const model: Model = new Map(lists.map(({ id }) => [id, []]))
      for (const request of sequence) await act(api, lists, model, request)
      for (const list of lists) await compare(api, list, model.get(list.id))
      assertSound(majlis)
    }),
    { numRuns: 60 },
  )
})

test('complete, move and delete raced against each other never leave a wrong counter', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder', plan: 'enterprise' })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(requests, { minLength: 8, maxLength: 24 }), { maxLength: 4 }),
      async (waves) => {
        const lists = fourLists(majlis)
        const ids = lists.flatMap((list) => [list.task(), list.task().complete(), list.task()])
        const tasks = ids.map(({ id }) => id)
        for (const wave of waves) {
          const answers = await Promise.all(wave.map((each) => fire(api, lists, tasks, each)))
          for (const { status } of answers) assert.ok([200, 201, 404, 422].includes(status))
          for (const { status, data } of answers) if (status === 201) tasks.push(data.id)
          assertSound(majlis)
        }
        for (const list of lists) await agreeWithItsTasks(api, list)
      },
    ),
    { numRuns: 40 },
  )
})

test('fifty creates of one title at once get fifty slugs, and the counters say fifty', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder', plan: 'enterprise' })
  const project = majlis.seed.project()
  const list = project.list()
  const collections = [
    `/lists/${list.id}/tasks`,
    `/projects/${project.id}/lists`,
    `/projects/${project.id}/discussions`,
  ]
  for (const path of collections) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.post(path, { title: 'نفس العنوان' })),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal(new Set(answers.map(({ data }) => data.slug)).size, 50)
    assert.equal(new Set(answers.map(({ data }) => data.id)).size, 50)
  }
  assert.equal((await api.get(`/lists/${list.id}`)).data.tasks_count, 50)
  const { data } = await api.get(`/projects/${project.id}`)
  assert.deepEqual([data.task_lists_count, data.tasks_count], [51, 50])
  assert.equal((await api.get(`/projects/${project.id}/discussions`)).body.meta.total, 50)
  assertSound(majlis)
})

test('what is softly deleted is counted no more, and check agrees', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const project = majlis.seed.project()
  project.discussion()
  project.discussion().remove()
  const archived = majlis.seed.project().archive()
  archived.remove()
  assert.equal((await api.get(`/projects/${project.id}/discussions`)).body.meta.total, 1)
  assert.equal((await api.get('/projects?include_archived=true')).body.meta.total, 1)
  assertSound(majlis)
})

test('fifty completions of one task at once count once, and keep one time', async (t) => {
  const { majlis, api } = await boot(t)
  const task = majlis.seed.task()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => api.post(`/tasks/${task.id}/complete`)),
  )
  assert.equal(new Set(answers.map(({ data }) => data.completed_at)).size, 1)
  const list = (await api.get(`/lists/${task.list.id}`)).data
  assert.deepEqual([list.completed_tasks_count, list.completed], [1, true])
})

function fourLists({ seed }: Sandbox): SeededList[] {
  const [here, there] = [seed.project(), seed.project()]
  return [here.list(), here.list(), there.list(), there.list()]
}

async function act(api: Api, lists: SeededList[], model: Model, request: Request): Promise<void> {
  const target = lists[request.list % lists.length] as SeededList
  const tasks = [...model.values()].flat()
  const task = tasks[request.task % Math.max(1, tasks.length)]
  const answer = await fire(
    api,
    lists,
    tasks.map(({ id }) => id),
    request,
  )
  const targetTasks = model.get(target.id)
  if (request.kind === 'deleteList') {
    assert.equal(answer.status, targetTasks ? 200 : 404)
    if (targetTasks) assert.equal(answer.data.deleted_tasks, targetTasks.length)
    model.delete(target.id)
  } else if (request.kind === 'create') {
    assert.equal(answer.status, targetTasks ? 201 : 404)
    targetTasks?.push({ id: answer.data?.id, isDone: false })
  } else if (task) change(model, task, request, target.id, answer)
}

function change(
  model: Model,
  task: ModelTask,
  { kind, position }: Request,
  target: string,
  { status }: Answer,
): void {
  const into = model.get(target)
  if (kind === 'move' && into === undefined) {
    assert.equal(status, 422)
    return
  }
  assert.equal(status, kind === 'comment' ? 201 : 200)
  if (kind === 'complete') task.isDone = true
  if (kind === 'incomplete') task.isDone = false
  if (kind !== 'move' && kind !== 'delete') return
  for (const tasks of model.values()) {
    if (tasks.includes(task)) tasks.splice(tasks.indexOf(task), 1)
  }
  if (kind === 'move') into?.splice(position === null ? into.length : position - 1, 0, task)
}

function fire(api: Api, lists: SeededList[], tasks: string[], request: Request): Promise<Answer> {
  const { kind, list, position } = request
  const target = lists[list % lists.length] as SeededList
  const task = `/tasks/${tasks[request.task % Math.max(1, tasks.length)] ?? 'tsk-0000000000'}`
  if (kind === 'create') return api.post(`/lists/${target.id}/tasks`, { title: 'Same title' })
  if (kind === 'deleteList') return api.delete(`/lists/${target.id}`)
  if (kind === 'delete') return api.delete(task)
  if (kind === 'comment') return api.post(`${task}/comments`, { content: 'x' })
  if (kind === 'move') {
    const place = position === null ? {} : { position }
    return api.post(`${task}/move`, { task_list_id: target.id, ...place })
  }
  return api.post(`${task}/${kind}`)
}

async function compare(api: Api, list: SeededList, tasks: ModelTask[] | undefined): Promise<void> {
  const shown = await api.get(`/lists/${list.id}`)
  if (tasks === undefined) {
    assert.equal(shown.status, 404)
    return
  }
  const done = tasks.filter(({ isDone }) => isDone).length
  const { tasks_count, completed_tasks_count, completed } = shown.data
  assert.deepEqual([tasks_count, completed_tasks_count], [tasks.length, done])
  assert.equal(completed, tasks.length > 0 && done === tasks.length)
  const { data, meta } = (await api.get(`/lists/${list.id}/tasks?limit=100`)).body
  assert.deepEqual(data.map(idOf), tasks.map(idOf))
  assert.equal(meta.total, tasks.length)
}

async function agreeWithItsTasks(api: Api, list: SeededList): Promise<void> {
  const shown = await api.get(`/lists/${list.id}`)
  if (shown.status === 404) return
  const { data, meta } = (await api.get(`/lists/${list.id}/tasks?limit=100`)).body
  const done = data.filter(({ completed }: { completed: boolean }) => completed).length
  assert.deepEqual(
    [shown.data.tasks_count, shown.data.completed_tasks_count, meta.total],
    [data.length, done, data.length],
  )
  const slugs = data.map(({ slug }: { slug: string }) => slug)
  assert.equal(new Set(slugs).size, slugs.length)
}

/** What `majlis check` recounts: every counter, the order of tasks, every slug. */
function assertSound(majlis: Sandbox): void {
  const db = openForWriting(majlis)
  try {
    assert.deepEqual(
      checkDatabase(db).filter(({ ok }) => !ok),
      [],
    )
  } finally {
    db.close()
  }
}

function idOf({ id }: { id: string }): string {
  return id
}
