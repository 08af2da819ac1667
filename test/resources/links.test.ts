import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'

test('a link is made with a name and an address, and answers every field', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const sent = { name: ' دليل الهوية ', url: 'https://www.figma.com/file/abc?x=1' }
  const { status, data } = await api.post(`/projects/${project.slug}/links`, sent)
  assert.equal(status, 201)
  assert.match(data.ref, /^fil-[0-9a-hjkmnp-tv-z]{10}$/)
  assert.ok(Number.isInteger(data.id))
  assert.deepEqual(data, {
    id: data.id,
    ref: data.ref,
    name: 'دليل الهوية',
    path: '/',
    folder_id: null,
    content_type: null,
    size_bytes: null,
    size_human: null,
    external_url: 'https://www.figma.com/file/abc?x=1',
    source: 'Figma',
    scan_state: 'skipped',
    downloadable: true,
    uploaded_by: 'Owner',
    created_at: '2026-03-01T09:00:00Z',
  })
})

const sources: [url: string, source: string][] = [
  ['https://drive.google.com/file/d/1', 'Google Drive'],
  ['https://docs.google.com/document/d/1', 'Google Drive'],
  ['https://www.dropbox.com/s/1', 'Dropbox'],
  ['https://onedrive.live.com/?id=1', 'OneDrive'],
  ['https://1drv.ms/w/1', 'OneDrive'],
  ['https://acme.sharepoint.com/x', 'OneDrive'],
  ['https://FIGMA.com/file', 'Figma'],
  ['https://gist.github.com/x', 'GitHub'],
  ['https://youtu.be/x', 'YouTube'],
  ['https://m.youtube.com/watch?v=1', 'YouTube'],
  ['http://intranet:8080/x', 'intranet'],
  ['https://www.example.com/', 'example.com'],
  ['https://notgithub.com/', 'notgithub.com'],
]

test('the source of a link is the name of a known service, else the host', async (t) => {
  const { majlis, api } = await boot(t)
  const path = `/projects/${majlis.seed.project().id}/links`
  for (const [url, source] of sources) {
    const { data } = await api.post(path, { name: 'A', url })
    assert.deepEqual([data.source, data.external_url], [source, url])
  }
})

const invalid: [body: Record<string, unknown>, field: string, why: string][] = [
  [{ url: 'https://x.example' }, 'name', 'required'],
  [{ name: '', url: 'https://x.example' }, 'name', 'blank'],
  [{ name: 'A' }, 'url', 'required'],
  [{ name: 'A', url: null }, 'url', 'required'],
  [{ name: 'A', url: '' }, 'url', 'blank'],
  [{ name: 'A', url: 5 }, 'url', 'no coercion'],
  [{ name: 'A', url: 'x.example' }, 'url', 'no scheme'],
  [{ name: 'A', url: '/x' }, 'url', 'relative'],
  [{ name: 'A', url: 'ftp://x.example' }, 'url', 'another scheme'],
  [{ name: 'A', url: 'javascript:alert(1)' }, 'url', 'another scheme'],
  [{ name: 'A', url: ' javascript:alert(1)//http://x' }, 'url', 'another scheme'],
  [{ name: 'A', url: 'https://' }, 'url', 'no host'],
  [{ name: 'A', url: 'https://x y.example' }, 'url', 'white space'],
  [{ name: 'A', url: 'https://x.example/\r\nSet-Cookie: a=b' }, 'url', 'line breaks'],
  [{ name: 'A', url: 'https://x.example/\u0000' }, 'url', 'NUL'],
  [{ name: 'A', url: `https://x.example/${'a'.repeat(2_048)}` }, 'url', 'too long'],
  [{ name: 'A', url: 'https://x.example', folder_id: 99 }, 'folder_id', 'no such folder'],
  [{ name: 'A', url: 'https://x.example', folder_id: '1' }, 'folder_id', 'no coercion'],
]

for (const [body, field, why] of invalid) {
  test(`a link with ${JSON.stringify(body).slice(0, 60)} is 422 naming ${field}: ${why}`, async (t) => {
    const { majlis, api } = await boot(t)
    const project = majlis.seed.project()
    assertInvalid(await api.post(`/projects/${project.id}/links`, body), field)
    assert.equal((await api.get(`/projects/${project.id}/files`)).body.meta.total, 0)
  })
}

test('a folder of another project or company is no place for a link, and a link needs manage_files', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const elsewhere = majlis.seed.project().folder()
  const theirs = majlis.seed.company().project().folder()
  const path = `/projects/${project.id}/links`
  for (const { id } of [elsewhere, theirs]) {
    const sent = { name: 'A', url: 'https://x.example', folder_id: id }
    assertInvalid(await api.post(path, sent), 'folder_id')
  }
  const plain = api.as(await majlis.key({ scope: 'write', operations: ['files:write'] }))
  const sent = { name: 'A', url: 'https://x.example' }
  assertRefused(await plain.post(path, sent), 403, 'forbidden')
})
