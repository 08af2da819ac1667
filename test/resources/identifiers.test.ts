import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'
import { assertRefused } from '../support/client.ts'
import { populate } from '../support/routes.ts'

test('every record answers its ref in id, with the prefix of its kind, and keeps it when renamed', async (t) => {
  const { majlis, api } = await boot(t)
  const { list, task, discussion } = populate(majlis.company)
  const kinds = [
    ['lst-', `/lists/${list.id}`],
    ['tsk-', `/tasks/${task.id}`],
    ['mjl-', `/discussions/${discussion.id}`],
  ] as const
  for (const [prefix, path] of kinds) {
    const { data } = await api.patch(path, { title: 'Renamed' })
    assert.ok(data.id.startsWith(prefix), data.id)
    assert.ok(path.endsWith(data.id))
    assert.equal((await api.get(path)).data.title, 'Renamed')
  }
})

test('a ref of the wrong kind is 404 on every address, flat and nested', async (t) => {
  const { majlis, api } = await boot(t)
  const { project, list, task, discussion } = populate(majlis.company)
  const refs = [project.id, list.id, task.id, discussion.id, 'fil-0000000000']
  const places: [path: string, right: string][] = [
    ['/lists/', list.id],
    ['/tasks/', task.id],
    ['/discussions/', discussion.id],
    [`/projects/${project.id}/lists/`, list.id],
    [`/projects/${project.id}/discussions/`, discussion.id],
    [`/projects/${project.id}/lists/${list.id}/tasks/`, task.id],
  ]
  for (const [path, right] of places) {
    for (const ref of refs) {
      const answer = await api.get(path + ref)
      if (ref === right) assert.equal(answer.status, 200, path + ref)
      else assertRefused(answer, 404, 'not_found')
    }
    const code = right.slice(4)
    for (const prefix of ['prj-', 'lst-', 'tsk-', 'mjl-', 'fil-']) {
      const ref = prefix + code
      if (ref !== right) assertRefused(await api.get(path + ref), 404, 'not_found')
    }
  }
})

test('a slug, a number and an upper-case ref are 404 on every flat address', async (t) => {
  const { majlis, api } = await boot(t)
  const { list, task, discussion } = populate(majlis.company)
  const flat = [
    ['/lists/', list],
    ['/tasks/', task],
    ['/discussions/', discussion],
  ] as const
  for (const [path, record] of flat) {
    for (const handle of [record.slug, '1', record.id.toUpperCase(), `${record.id}x`, '%E0%A4']) {
      assertRefused(await api.get(path + handle), 404, 'not_found')
    }
  }
  for (const path of [`/lists/${list.slug}/tasks`, `/lists/${list.slug}/comments`]) {
    assertRefused(await api.get(path), 404, 'not_found')
  }
  assertRefused(await api.get(`/tasks/${task.slug}/comments`), 404, 'not_found')
})

test('a nested address with the wrong parent is 404, though the leaf would resolve alone', async (t) => {
  const { majlis, api } = await boot(t)
  const one = populate(majlis.company, { word: 'One' })
  const two = populate(majlis.company, { word: 'Two' })
  const sibling = one.project.list({ title: 'Sibling' })
  const wrong = [
    `/projects/${two.project.id}/lists/${one.list.id}`,
    `/projects/${two.project.slug}/lists/${one.list.slug}`,
    `/projects/${two.project.id}/discussions/${one.discussion.id}`,
    `/projects/${two.project.id}/discussions/${one.discussion.slug}`,
    `/projects/${two.project.id}/lists/${one.list.id}/tasks/${one.task.id}`,
    `/projects/${two.project.id}/lists/${two.list.id}/tasks/${one.task.id}`,
    `/projects/${one.project.id}/lists/${sibling.id}/tasks/${one.task.id}`,
    `/projects/${one.project.id}/lists/${sibling.slug}/tasks/${one.task.slug}`,
    `/projects/prj-0000000000/lists/${one.list.id}`,
  ]
  for (const path of wrong) assertRefused(await api.get(path), 404, 'not_found')
  for (const path of wrong.slice(4, 8)) {
    assertRefused(await api.post(`${path}/complete`), 404, 'not_found')
    assertRefused(await api.get(`${path}/comments`), 404, 'not_found')
  }
  assert.equal((await api.get(`/tasks/${one.task.id}`)).data.completed, false)
})

test('one slug names different records under different parents', async (t) => {
  const { majlis, api } = await boot(t)
  const [first, second] = [majlis.seed.list({ title: 'خطة' }), majlis.seed.list({ title: 'خطة' })]
  const inFirst = first.task({ title: 'خطة' })
  const inSecond = second.task({ title: 'خطة' })
  const slug = encodeURIComponent('خطة')
  for (const task of [inFirst, inSecond]) {
    const path = `/projects/${task.list.project.id}/lists/${slug}/tasks/${slug}`
    assert.equal((await api.get(path)).data.id, task.id)
  }
})

test('equal titles are numbered within their parent', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const list = project.list({ title: 'X' })
  const made = [
    [`/projects/${project.id}/lists`, ['x-2', 'x-3']],
    [`/projects/${project.id}/discussions`, ['x', 'x-2']],
    [`/lists/${list.id}/tasks`, ['x', 'x-2']],
  ] as const
  for (const [path, slugs] of made) {
    for (const slug of slugs) assert.equal((await api.post(path, { title: 'X' })).data.slug, slug)
  }
})

test('everything below a deleted project is 404 and returns with it', async (t) => {
  const { majlis, api } = await boot(t)
  const { project, list, task, discussion, folder, file } = populate(majlis.company)
  const nested = `/projects/${project.id}/lists/${list.id}`
  const paths = [
    `/lists/${list.id}`,
    `/lists/${list.id}/tasks`,
    `/lists/${list.id}/comments`,
    `/tasks/${task.id}`,
    `/tasks/${task.id}/comments`,
    `/discussions/${discussion.id}`,
    nested,
    `${nested}/tasks/${task.slug}`,
    `/projects/${project.slug}/discussions`,
    `/projects/${project.id}/files`,
    `/projects/${project.id}/folders/${folder.id}`,
  ]
  project.remove()
  for (const path of paths) assertRefused(await api.get(path), 404, 'not_found')
  assertRefused(await api.post(`/tasks/${task.id}/complete`), 404, 'not_found')
  assertRefused(await api.delete(`/files/${file.ref}`), 404, 'not_found')
  project.restore()
  for (const path of paths) assert.equal((await api.get(path)).status, 200, path)
})

test('a path of the older surface does not resolve', async (t) => {
  const { majlis, api } = await boot(t)
  const { project, list } = populate(majlis.company)
  for (const path of [`/projects/${project.id}/task-lists`, `/task-lists/${list.id}`, '/tasks']) {
    const answer = await api.get(path)
    assertRefused(answer, 404, 'unknown_endpoint')
    assert.equal(answer.body.error.path, `/api/v1${path}`)
  }
  assertRefused(await api.get('/me/tasks'), 404, 'unknown_endpoint')
})
