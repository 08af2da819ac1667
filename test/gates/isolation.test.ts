import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/routes.ts'
import { boot, everything } from '../support/boot.ts'
import {
  everyAddress,
  fill,
  goodBody,
  missing,
  parametersOf,
  populate,
  refsOf,
  slugsOf,
} from '../support/routes.ts'

/** Two companies on one server never see each other, whatever handle one of them learns of the other's. */
for (const { route, path, title } of everyAddress(routes)) {
  for (const parameter of parametersOf(path)) {
    test(`${title} answers another company's ${parameter} as it answers a missing one`, async (t) => {
      const { majlis, api } = await boot(t, { plan: 'productive' })
      const ours = refsOf(populate(majlis.company))
      const other = majlis.seed.company({ name: 'Other' })
      const before = populate(other, { word: 'Secret' })
      const project = before.project.rename('Public plan')
      const list = before.list.rename('Public list')
      const task = before.task.rename('Public task')
      const discussion = before.discussion.rename('Public topic')
      const theirs = { ...before, project, list, task, discussion }
      const body = goodBody(route, ours)
      const call = (handle: string) =>
        api.send(route.method, fill(path, { ...ours, [parameter]: handle }), body)
      const nothing = await call(missing[parameter])
      assert.equal(nothing.status, 404)
      const handles = [refsOf(theirs), slugsOf(theirs), slugsOf(before)].map((of) => of[parameter])
      const number = /folder|file|event/.test(parameter) ? '9007199254740993' : '1'
      for (const handle of [...handles, number]) {
        const answer = await call(handle)
        assert.equal(answer.status, 404, handle)
        assert.equal(answer.text, nothing.text, handle)
      }
      const owner = api.as((await other.key(everything)).text)
      const seen = await owner.get(`/tasks/${task.id}`)
      assert.equal(seen.data.title, 'Public task', 'and all of theirs is still there, unchanged')
      assert.equal(seen.data.completed, false)
      assert.equal((await owner.get(`/projects/${project.id}`)).data.archived, false)
      assert.equal((await owner.get(`/discussions/${discussion.id}`)).status, 200)
    })
  }
}

test('a collection holds the records of its own company only', async (t) => {
  const { majlis, api } = await boot(t)
  majlis.seed.project({ name: 'Ours' })
  majlis.seed.company().project({ name: 'Theirs' })
  const { body } = await api.get('/projects')
  assert.deepEqual(
    body.data.map((project: { name: string }) => project.name),
    ['Ours'],
  )
  assert.equal(body.meta.total, 1)
})

test('a slug that two companies both use finds its own', async (t) => {
  const { majlis, api } = await boot(t)
  const ours = majlis.seed.project({ name: 'Launch' })
  const theirs = majlis.seed.company().project({ name: 'Launch' })
  assert.equal(theirs.slug, 'launch')
  assert.equal((await api.get('/projects/launch')).data.id, ours.id)
})
