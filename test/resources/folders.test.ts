import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'

test('a folder is made with its name alone, at the root, and answers every field', async (t) => {
  const { majlis, api } = await boot(t)
  const path = `/projects/${majlis.seed.project({ name: 'Shop' }).id}/folders`
  const { status, data } = await api.post(path, { name: ' تصاميم ' })
  assert.equal(status, 201)
  assert.deepEqual(data, {
    id: data.id,
    name: 'تصاميم',
    path: '/تصاميم',
    description: null,
    parent_folder_id: null,
    created_at: '2026-03-01T09:00:00Z',
  })
  assert.deepEqual((await api.get(`/projects/shop/folders/${data.id}`)).data, data)
})

test('a folder in a folder has the path of all names above it', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const design = project.folder({ name: 'Design' })
  const sent = { name: 'Logos', description: 'All of them', parent_folder_id: design.id }
  const { data } = await api.post(`/projects/${project.id}/folders`, sent)
  assert.deepEqual(
    [data.path, data.parent_folder_id, data.description],
    ['/Design/Logos', design.id, 'All of them'],
  )
  await api.patch(`/projects/${project.id}/folders/${design.id}`, { name: 'تصميم' })
  const { data: logos } = await api.get(`/projects/${project.id}/folders/${data.id}`)
  assert.equal(logos.path, '/تصميم/Logos', 'and follows a new name of one of them')
})

const invalid: [body: Record<string, unknown>, field: string, why: string][] = [
  [{}, 'name', 'required'],
  [{ name: null }, 'name', 'required'],
  [{ name: ' ' }, 'name', 'blank'],
  [{ name: 5 }, 'name', 'no coercion'],
  [{ name: 'x'.repeat(256) }, 'name', 'too long'],
  [{ name: 'A', description: 5 }, 'description', 'no coercion'],
  [{ name: 'A', description: 'x'.repeat(65_537) }, 'description', 'too long'],
  [{ name: 'A', parent_folder_id: '1' }, 'parent_folder_id', 'no coercion'],
  [{ name: 'A', parent_folder_id: 1.5 }, 'parent_folder_id', 'no whole number'],
  [{ name: 'A', parent_folder_id: 99 }, 'parent_folder_id', 'no such folder'],
  [{ name: 'A', parent_folder_id: -1 }, 'parent_folder_id', 'no such folder'],
  [{ name: 'A', parent_folder_id: 1e300 }, 'parent_folder_id', 'no such folder'],
  [{ name: 'Taken' }, 'name', 'taken at the root'],
]

for (const [body, field, why] of invalid) {
  test(`a folder with ${JSON.stringify(body).slice(0, 50)} is 422 naming ${field}: ${why}`, async (t) => {
    const { majlis, api } = await boot(t)
    const project = majlis.seed.project()
    project.folder({ name: 'Taken' })
    const other = project.folder({ name: 'Other' })
    assertInvalid(await api.post(`/projects/${project.id}/folders`, body), field)
    if (Object.keys(body).length === 0) return
    const path = `/projects/${project.id}/folders/${other.id}`
    assertInvalid(await api.patch(path, body), field)
    assert.equal((await api.get(path)).data.path, '/Other', 'nothing was changed')
  })
}

test('a name is taken within its parent only', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const [a, b] = [project.folder({ name: 'A' }), project.folder({ name: 'B' })]
  const path = `/projects/${project.id}/folders`
  const make = (parent: number | null) => api.post(path, { name: 'Same', parent_folder_id: parent })
  const [inA, inB, atRoot] = [await make(a.id), await make(b.id), await make(null)]
  assert.deepEqual([inA.status, inB.status, atRoot.status], [201, 201, 201])
  assertInvalid(await make(a.id), 'name')
  const moved = await api.patch(`${path}/${inB.data.id}`, { parent_folder_id: a.id })
  assertInvalid(moved, 'name')
  const elsewhere = majlis.seed.project()
  const other = await api.post(`/projects/${elsewhere.id}/folders`, { name: 'Same' })
  assert.equal(other.status, 201, 'another project has its own')
  const same = await api.patch(`${path}/${inA.data.id}`, { name: 'Same', description: 'x' })
  assert.equal(same.status, 200, 'its own name is not in its way')
})

test('a folder moves with all that it holds, and null moves it to the root', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const [a, b] = [project.folder({ name: 'A' }), project.folder({ name: 'B' })]
  const child = a.folder({ name: 'Child' })
  const path = `/projects/${project.id}/folders`
  const moved = await api.patch(`${path}/${a.id}`, { parent_folder_id: b.id })
  assert.deepEqual([moved.status, moved.data.path], [200, '/B/A'])
  assert.equal((await api.get(`${path}/${child.id}`)).data.path, '/B/A/Child')
  const back = await api.patch(`${path}/${a.id}`, { parent_folder_id: null })
  assert.deepEqual([back.data.path, back.data.parent_folder_id], ['/A', null])
})

test('a folder cannot be moved into itself or below itself', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const top = project.folder({ name: 'Top' })
  const middle = top.folder({ name: 'Middle' })
  const bottom = middle.folder({ name: 'Bottom' })
  const path = `/projects/${project.id}/folders/${top.id}`
  for (const { id } of [top, middle, bottom]) {
    assertInvalid(await api.patch(path, { parent_folder_id: id }), 'parent_folder_id')
  }
  assert.equal((await api.get(path)).data.path, '/Top')
})

test('folders nest thirty-two levels deep, and not by a move either', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  let deepest = project.folder({ name: '1' })
  for (let level = 2; level <= 31; level++) deepest = deepest.folder({ name: String(level) })
  const path = `/projects/${project.id}/folders`
  const last = await api.post(path, { name: '32', parent_folder_id: deepest.id })
  assert.equal(last.status, 201)
  const beyond = await api.post(path, { name: '33', parent_folder_id: last.data.id })
  assertInvalid(beyond, 'parent_folder_id')
  const pair = project.folder({ name: 'Pair' })
  pair.folder({ name: 'Inner' })
  const moved = await api.patch(`${path}/${pair.id}`, { parent_folder_id: deepest.id })
  assertInvalid(moved, 'parent_folder_id')
})

test('deleting a folder destroys all that is below it, and says how much', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const top = project.folder({ name: 'Top' })
  const inner = top.folder({ name: 'Inner' })
  inner.folder({ name: 'Innermost' })
  const kept = project.folder({ name: 'Kept' })
  const path = `/projects/${project.id}/folders`
  const { status, data } = await api.delete(`${path}/${top.id}`)
  assert.equal(status, 200)
  assert.deepEqual(data, {
    deleted: true,
    folder: { id: top.id, name: 'Top' },
    destroyed: { files: 0, subfolders: 2 },
  })
  for (const { id } of [top, inner]) assertRefused(await api.get(`${path}/${id}`), 404, 'not_found')
  assert.equal((await api.get(`${path}/${kept.id}`)).status, 200)
  assert.equal((await api.post(path, { name: 'Top' })).status, 201, 'its name is free again')
})

test('folders need manage_files, and deleting one delete_any_file, also for its creator', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const folder = project.folder()
  const path = `/projects/${project.id}/folders`
  const plain = api.as(
    await majlis.key({ scope: 'write', operations: ['files:write', 'files:destructive'] }),
  )
  assertRefused(await plain.post(path, { name: 'A' }), 403, 'forbidden')
  assertRefused(await plain.patch(`${path}/${folder.id}`, { name: 'A' }), 403, 'forbidden')
  assertRefused(await plain.delete(`${path}/${folder.id}`), 403, 'forbidden')
  const writer = api.as(await majlis.key({ preset: 'write' }))
  assert.equal((await writer.post(path, { name: 'A' })).status, 201, 'the write preset has it')
})

test('a folder is found by its number and through its own project only', async (t) => {
  const { majlis, api } = await boot(t)
  const [project, other] = [majlis.seed.project(), majlis.seed.project()]
  const folder = project.folder({ name: 'Here' })
  assert.equal((await api.get(`/projects/${project.slug}/folders/${folder.id}`)).status, 200)
  assertRefused(await api.get(`/projects/${other.id}/folders/${folder.id}`), 404, 'not_found')
  for (const id of ['here', '0', '-1', '1.0', '01', '9007199254740993', 'fil-0000000000', '%00']) {
    assertRefused(await api.get(`/projects/${project.id}/folders/${id}`), 404, 'not_found')
  }
  assertRefused(await api.get(`/folders/${folder.id}`), 404, 'unknown_endpoint')
})
