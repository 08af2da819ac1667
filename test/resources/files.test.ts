import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeededFile, SeededProject } from '../../src/index.ts'
import { boot } from '../support/boot.ts'
import { assertRefused } from '../support/client.ts'

test('the root of a project lists its folders by name and its files, newest first', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  for (const name of ['beta', 'Alpha', 'تصميم']) project.folder({ name })
  for (const name of ['One', 'Two', 'Three']) project.link({ name })
  const inside = project.folder({ name: 'Zeta' })
  inside.link({ name: 'Inside' })
  inside.folder({ name: 'Deeper' })
  majlis.seed.project().link({ name: 'Of another project' })
  const { status, body } = await api.get(`/projects/${project.id}/files`)
  assert.equal(status, 200)
  assert.equal(body.data.folder, null)
  assert.deepEqual(body.data.folders.map(nameOf), ['Alpha', 'beta', 'Zeta', 'تصميم'])
  assert.deepEqual(body.data.files.map(nameOf), ['Three', 'Two', 'One'])
  assert.equal(body.data.folders[0].path, '/Alpha')
  assert.equal(body.data.files[0].path, '/')
  assert.deepEqual(body.meta, { total: 3, limit: 50, offset: 0 })
})

test('a folder lists one level of itself, and is answered with it', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const design = project.folder({ name: 'Design' })
  const logos = design.folder({ name: 'Logos' })
  logos.folder({ name: 'Old' })
  for (const name of ['1', '2', '3']) logos.link({ name })
  const path = `/projects/${project.id}/files?folder_id=${logos.id}`
  const { data, body } = await api.get(`${path}&limit=1&offset=1`)
  const shown = (await api.get(`/projects/${project.id}/folders/${logos.id}`)).data
  assert.deepEqual(data.folder, shown)
  assert.deepEqual(data.folders.map(pathOf), ['/Design/Logos/Old'], 'folders are not paginated')
  assert.deepEqual(data.files.map(nameOf), ['2'])
  assert.deepEqual([data.files[0].path, data.files[0].folder_id], ['/Design/Logos', logos.id])
  assert.deepEqual(body.meta, { total: 3, limit: 1, offset: 1 })
})

test('a folder_id that is no number, or no folder of the project, is 404', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const elsewhere = majlis.seed.project().folder()
  for (const id of ['abc', '', '0', '-1', '1.5', '9007199254740993', String(elsewhere.id)]) {
    const answer = await api.get(`/projects/${project.id}/files?folder_id=${id}`)
    assertRefused(answer, 404, 'not_found')
  }
})

const addresses: [name: string, of: (project: SeededProject, file: SeededFile) => string][] = [
  ['nested, by ref', ({ id }, { ref }) => `/projects/${id}/files/${ref}`],
  ['nested, by number', ({ slug }, file) => `/projects/${slug}/files/${file.id}`],
  ['flat', (_, { ref }) => `/files/${ref}`],
]

for (const [name, of] of addresses) {
  test(`${name}: a file is deleted for good, and the answer has its number`, async (t) => {
    const { majlis, api } = await boot(t)
    const project = majlis.seed.project()
    const folder = project.folder()
    for (const file of [project.link({ name: 'A' }), folder.link({ name: 'A' })]) {
      const { status, data } = await api.delete(of(project, file))
      assert.equal(status, 200)
      assert.deepEqual(data, { deleted: true, file: { id: file.id, name: 'A' } })
      assertRefused(await api.delete(of(project, file)), 404, 'not_found')
    }
    const root = (await api.get(`/projects/${project.id}/files`)).body
    assert.deepEqual([root.meta.total, root.data.files], [0, []])
    const inside = await api.get(`/projects/${project.id}/files?folder_id=${folder.id}`)
    assert.equal(inside.body.meta.total, 0)
  })

  test(`${name}: one's own file may be deleted without a right, another's needs delete_any_file`, async (t) => {
    const { majlis, api } = await boot(t)
    const sara = majlis.seed.user({ email: 'sara@x.example' })
    const project = majlis.seed.project()
    const [own, others] = [project.link({ by: sara.email }), project.link()]
    const key = { scope: 'write', creator: sara.email } as const
    const plain = api.as(await majlis.key({ ...key, operations: ['files:destructive'] }))
    assertRefused(await plain.delete(of(project, others)), 403, 'forbidden')
    assert.equal((await plain.delete(of(project, own))).status, 200)
    const able = await majlis.key({
      ...key,
      operations: ['files:destructive'],
      rights: ['delete_any_file'],
    })
    assert.equal((await api.as(able).delete(of(project, others))).status, 200)
  })
}

test('a file is found through its own project only, and by its number on no flat address', async (t) => {
  const { majlis, api } = await boot(t)
  const [project, other] = [majlis.seed.project(), majlis.seed.project()]
  const file = project.link()
  const wrong = [
    `/projects/${other.id}/files/${file.ref}`,
    `/projects/${other.id}/files/${file.id}`,
    `/projects/${project.id}/files/lst-${file.ref.slice(4)}`,
    `/projects/${project.id}/files/link`,
    `/projects/${project.id}/files/0${file.id}`,
    `/files/${file.id}`,
    `/files/${file.ref.toUpperCase()}`,
  ]
  for (const path of wrong) assertRefused(await api.delete(path), 404, 'not_found')
  for (const method of ['GET', 'PATCH']) {
    assertRefused(await api.send(method, `/files/${file.ref}`), 404, 'unknown_endpoint')
  }
  assert.equal((await api.get(`/projects/${project.id}/files`)).body.meta.total, 1)
})

test('deleting a folder counts and destroys the files of every level below it', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const top = project.folder({ name: 'Top' })
  const deep = top.folder({ name: 'Inner' }).folder({ name: 'Innermost' })
  const files = [top.link(), deep.link(), deep.link(), deep.link()]
  const kept = project.link()
  const { data } = await api.delete(`/projects/${project.id}/folders/${top.id}`)
  assert.deepEqual(data.destroyed, { files: 4, subfolders: 2 })
  for (const { ref } of files) assertRefused(await api.delete(`/files/${ref}`), 404, 'not_found')
  assert.equal((await api.delete(`/files/${kept.ref}`)).status, 200)
})

test('an archived project keeps its folders and files as they are, and shows them', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const folder = project.folder()
  const file = folder.link()
  project.archive()
  const base = `/projects/${project.id}`
  const writes: [string, string, unknown][] = [
    ['POST', `${base}/folders`, { name: 'A' }],
    ['PATCH', `${base}/folders/${folder.id}`, { name: 'A' }],
    ['DELETE', `${base}/folders/${folder.id}`, undefined],
    ['POST', `${base}/links`, { name: 'A', url: 'https://x.example' }],
    ['DELETE', `${base}/files/${file.id}`, undefined],
    ['DELETE', `/files/${file.ref}`, undefined],
  ]
  for (const [method, path, body] of writes) {
    assertRefused(await api.send(method, path, body), 403, 'forbidden')
  }
  const { data } = await api.get(`${base}/files?folder_id=${folder.id}`)
  assert.deepEqual(data.files.map(nameOf), ['Link'])
})

function nameOf({ name }: { name: string }): string {
  return name
}

function pathOf({ path }: { path: string }): string {
  return path
}
