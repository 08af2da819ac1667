import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'
import { assertRefused } from '../support/client.ts'
import { lookInto } from '../support/database.ts'
import { eventually, storedIn } from '../support/stored.ts'

for (const http of ['uws', 'node'] as const) {
  test(`a download is an attachment that no browser runs, with ${http}`, async (t) => {
    const { majlis, api } = await boot(t, { http })
    const project = majlis.seed.project()
    const content = '<script>alert(1)</script>'
    const file = await project.file({ name: 'صفحة "1".html', content })
    await majlis.scanner.settled()
    const got = await api.download(`/projects/${project.slug}/files/${file.ref}/download`)
    assert.equal(got.status, 200)
    assert.equal(got.bytes.toString(), content)
    const headers = Object.fromEntries(got.headers)
    assert.equal(headers['content-type'], 'text/html')
    assert.equal(headers['content-length'], String(content.length))
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="____ _1_.html"; filename*=UTF-8''%D8%B5%D9%81%D8%AD%D8%A9%20%221%22.html`,
    )
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox")
    assert.equal(headers['cache-control'], 'no-store')
    assert.ok(headers['x-request-id'])
    assert.equal(headers['x-ratelimit-limit'], '1000')
    assert.ok(headers['x-ratelimit-remaining'])
    assert.ok(headers['x-ratelimit-reset'])
  })

  test(`a link leads to its address with 302, percent-encoded, with ${http}`, async (t) => {
    const { majlis, api } = await boot(t, { http })
    const project = majlis.seed.project()
    const url = 'https://drive.google.com/ملف?q=a b'
    const link = project.link({ url })
    const got = await api.get(`/projects/${project.id}/files/${link.id}/download`)
    assert.equal(got.status, 302)
    assert.equal(got.headers.get('location'), 'https://drive.google.com/%D9%85%D9%84%D9%81?q=a%20b')
    assert.equal(got.headers.get('x-content-type-options'), 'nosniff')
  })
}

test('a file that waits for its scan, or that is infected, is 403 by every address, and audited', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const project = majlis.seed.project()
  majlis.scanner.hold()
  const file = await project.file({ content: 'secret' })
  const addresses = [project.id, project.slug].flatMap((handle) =>
    [file.id, file.ref].map((id) => `/projects/${handle}/files/${id}/download`),
  )
  for (const path of addresses) {
    const refused = await api.get(path)
    assertRefused(refused, 403, 'forbidden')
    assert.match(refused.message ?? '', /scan/)
    assert.doesNotMatch(refused.text, /secret/)
  }
  majlis.scanner.infect()
  await majlis.scanner.settled()
  for (const path of addresses) {
    const refused = await api.get(path)
    assertRefused(refused, 403, 'forbidden')
    assert.match(refused.message ?? '', /infected/)
  }
  const [file_] = (await api.get(`/projects/${project.id}/files`)).data.files
  assert.deepEqual([file_.scan_state, file_.downloadable], ['infected', false])
  const denied = lookInto(majlis, "select id from audit_entries where outcome = 'denied'")
  assert.equal(denied.length, 2 * addresses.length)
})

test('a download needs files:read, and the file under its own project', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const other = majlis.seed.project()
  const file = await project.file()
  await majlis.scanner.settled()
  const path = `/projects/${project.id}/files/${file.id}/download`
  const blind = api.as(await majlis.key({ scope: 'read', operations: ['projects:read'] }))
  assertRefused(await blind.get(path), 403, 'forbidden')
  const reader = api.as(await majlis.key({ scope: 'read', operations: ['files:read'] }))
  assert.equal((await reader.download(path)).status, 200)
  for (const id of [file.id, file.ref, 'fil-0000000000', '0', 'abc', project.id]) {
    assertRefused(await api.get(`/projects/${other.id}/files/${id}/download`), 404, 'not_found')
  }
  assertRefused(await api.get(`/files/${file.ref}/download`), 404, 'unknown_endpoint')
})

test('an archived project and a read-only subscription still let files be downloaded', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const file = await project.file()
  await majlis.scanner.settled()
  project.archive()
  majlis.set({ readOnly: true })
  const got = await api.download(`/projects/${project.id}/files/${file.id}/download`)
  assert.equal(got.status, 200)
})

test('a deleted file is 404, and its bytes are gone from the disk', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const project = majlis.seed.project()
  const file = await project.file()
  await majlis.scanner.settled()
  assert.equal((await api.delete(`/files/${file.ref}`)).status, 200)
  const path = `/projects/${project.id}/files/${file.id}/download`
  assertRefused(await api.get(path), 404, 'not_found')
  await eventually(() => assert.deepEqual(storedIn(majlis, 'files'), []))
})

test('deleting a folder removes the bytes of every file below it, and of no other', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const project = majlis.seed.project()
  const folder = project.folder()
  for (const place of [folder, folder.folder().folder({ name: 'deep' })]) await place.file()
  const kept = await project.file()
  await majlis.scanner.settled()
  assert.equal(storedIn(majlis, 'files').length, 3)
  assert.equal((await api.delete(`/projects/${project.id}/folders/${folder.id}`)).status, 200)
  await eventually(() => assert.equal(storedIn(majlis, 'files').length, 1))
  const got = await api.download(`/projects/${project.id}/files/${kept.id}/download`)
  assert.equal(got.status, 200)
  assert.deepEqual(lookInto(majlis, 'select storage_name from discarded_bytes'), [])
})

test('the bytes of an infected file lie in quarantine, and go with the file', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  majlis.scanner.infect()
  const file = await majlis.seed.project().file()
  await majlis.scanner.settled()
  await eventually(() => assert.equal(storedIn(majlis, 'quarantine').length, 1))
  assert.deepEqual(storedIn(majlis, 'files'), [])
  await api.delete(`/files/${file.ref}`)
  await eventually(() => assert.deepEqual(storedIn(majlis, 'quarantine'), []))
})
