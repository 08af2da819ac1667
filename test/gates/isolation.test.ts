import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/routes.ts'
import { boot, everything } from '../support/boot.ts'
import { everyAddress, fill, goodBody, missing } from '../support/routes.ts'

/** Two companies on one server never see each other, whatever handle one of them learns of the other's. */
for (const { route, path, title } of everyAddress(routes).filter(({ path }) =>
  path.includes('{'),
)) {
  test(`${title} answers another company's ref, slug and retired slug as it answers a missing one`, async (t) => {
    const { majlis, api } = await boot(t)
    const other = majlis.seed.company({ name: 'Other' })
    const theirs = other.project({ name: 'Secret plan' }).rename('Public plan')
    const call = (handle: string) =>
      api.send(route.method, fill(path, { project_id: handle }), goodBody(route))
    const nothing = await call(missing.project_id)
    assert.equal(nothing.status, 404)
    for (const handle of [theirs.id, 'public-plan', 'secret-plan', 'no-such-plan', '1']) {
      const answer = await call(handle)
      assert.equal(answer.status, 404, handle)
      assert.equal(answer.text, nothing.text, handle)
    }
    const owner = await other.key(everything)
    const seen = await api.as(owner.text).get(`/projects/${theirs.id}`)
    assert.equal(seen.data.name, 'Public plan', 'and it is still there, unchanged')
    assert.equal(seen.data.archived, false)
  })
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
