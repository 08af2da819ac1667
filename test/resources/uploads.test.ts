import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'
import { lookInto } from '../support/database.ts'
import { storedIn } from '../support/stored.ts'

const MB = 1024 * 1024

test('an upload answers every field, and is pending and not downloadable', async (t) => {
  const { majlis, api } = await boot(t)
  majlis.scanner.hold()
  const project = majlis.seed.project()
  const folder = project.folder({ name: 'Design' })
  const sent = { name: ' محضر الاجتماع.md ', content: '# محضر', folder_id: folder.id }
  const { status, data } = await api.post(`/projects/${project.slug}/files`, sent)
  assert.equal(status, 201)
  assert.match(data.ref, /^fil-[0-9a-hjkmnp-tv-z]{10}$/)
  assert.ok(Number.isInteger(data.id))
  assert.deepEqual(data, {
    id: data.id,
    ref: data.ref,
    name: 'محضر الاجتماع.md',
    path: '/Design',
    folder_id: folder.id,
    content_type: 'text/markdown',
    size_bytes: 10,
    size_human: '10 B',
    external_url: null,
    source: null,
    scan_state: 'pending',
    downloadable: false,
    uploaded_by: 'Owner',
    created_at: '2026-03-01T09:00:00Z',
  })
  const listed = await api.get(`/projects/${project.id}/files?folder_id=${folder.id}`)
  assert.deepEqual(listed.data.files, [data])
  assert.equal(listed.body.meta.total, 1)
})

test('once the scan has passed, the listing calls the upload clean and downloadable', async (t) => {
  const { majlis, api } = await boot(t)
  const { id } = majlis.seed.project()
  await api.post(`/projects/${id}/files`, { name: 'a.txt', content: 'a' })
  await majlis.scanner.settled()
  const [file] = (await api.get(`/projects/${id}/files`)).data.files
  assert.deepEqual([file.scan_state, file.downloadable], ['clean', true])
})

const bodies: [why: string, body: Record<string, unknown>, bytes: Buffer][] = [
  ['text', { name: 'a.txt', content: 'مرحبا\r\n\tHello' }, Buffer.from('مرحبا\r\n\tHello')],
  ['text that is not trimmed', { name: 'a.txt', content: '  a \n' }, Buffer.from('  a \n')],
  ['an empty text', { name: 'empty.txt', content: '' }, Buffer.alloc(0)],
  ['a name without an extension', { name: 'LICENSE', content: 'MIT' }, Buffer.from('MIT')],
  ['a hidden file', { name: '.gitignore', content: 'dist' }, Buffer.from('dist')],
  ['bytes', { name: 'a.bin', content_base64: 'AP/+gA==' }, Buffer.from([0, 255, 254, 128])],
  ['no bytes', { name: 'a.bin', content_base64: '' }, Buffer.alloc(0)],
  ['a null beside it', { name: 'a', content: null, content_base64: 'YQ==' }, Buffer.from('a')],
  ['the other null', { name: 'a', content: 'a', content_base64: null }, Buffer.from('a')],
  ['a lone surrogate', { name: 'a.txt', content: 'a\ud800b' }, Buffer.from('a\ufffdb')],
]

for (const http of ['uws', 'node'] as const) {
  test(`what goes in comes back byte for byte, with ${http}`, async (t) => {
    const { majlis, api } = await boot(t, { http, storage: 'folder' })
    const { id } = majlis.seed.project()
    for (const [why, body, bytes] of bodies) {
      const { status, data, text } = await api.post(`/projects/${id}/files`, body)
      assert.equal(status, 201, `${why}: ${text}`)
      assert.equal(data.size_bytes, bytes.length, why)
      await majlis.scanner.settled()
      const got = await api.download(`/projects/${id}/files/${data.id}/download`)
      assert.equal(got.status, 200, why)
      assert.deepEqual(got.bytes, bytes, why)
    }
  })
}

const names = [
  '../../../etc/passwd',
  '..',
  '/etc/shadow',
  'C:\\Windows\\system32.txt',
  'two\r\nlines.txt',
  '\u202egpj.exe\u202c.txt',
  '"quoted"; filename=evil.html',
  'ملف عربي طويل.txt',
  `${'ع'.repeat(251)}.txt`,
  '😀'.repeat(255),
  'percent%20%00.txt',
]

test('names are data: whatever they look like, they come back as they went in', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const { id } = majlis.seed.project()
  for (const name of names) {
    const { status, data } = await api.post(`/projects/${id}/files`, { name, content: 'x' })
    assert.deepEqual([status, data?.name], [201, name])
    await majlis.scanner.settled()
    const got = await api.download(`/projects/${id}/files/${data.ref}/download`)
    assert.equal(got.bytes.toString(), 'x')
    const header = got.headers.get('content-disposition') ?? ''
    const [, encoded = ''] =
      /^attachment; filename="[^"]*"; filename\*=UTF-8''([!-~]+)$/.exec(header) ?? []
    assert.equal(decodeURIComponent(encoded), name, header)
  }
  const kept = lookInto<{ storage_name: string }>(majlis, 'select storage_name from files')
  for (const { storage_name } of kept) assert.match(storage_name, /^[0-9a-f]{32}$/)
})

const refused: [body: Record<string, unknown>, field: string, why: string][] = [
  [{ content: 'a' }, 'name', 'no name'],
  [{ name: ' ', content: 'a' }, 'name', 'a blank name'],
  [{ name: 'a\0.txt', content: 'a' }, 'name', 'NUL in the name'],
  [{ name: 'a'.repeat(256), content: 'a' }, 'name', 'too long a name'],
  [{ name: 7, content: 'a' }, 'name', 'a number for a name'],
  [{ name: 'a.txt' }, 'content', 'neither'],
  [{ name: 'a.txt', content: null, content_base64: null }, 'content', 'both null'],
  [{ name: 'a.txt', content: 'a', content_base64: 'YQ==' }, 'content_base64', 'both'],
  [{ name: 'a.txt', content: '', content_base64: '' }, 'content_base64', 'both, empty'],
  [{ name: 'a.txt', content: 5 }, 'content', 'a number'],
  [{ name: 'a.txt', content: ['a'] }, 'content', 'a list'],
  [{ name: 'a.txt', content: 'a\0b' }, 'content', 'NUL'],
  [{ name: 'a.bin', content_base64: 5 }, 'content_base64', 'a number'],
  [{ name: 'a.bin', content_base64: 'YQ' }, 'content_base64', 'no padding'],
  [{ name: 'a.bin', content_base64: 'YQ==\n' }, 'content_base64', 'a line break at the end'],
  [{ name: 'a.bin', content_base64: 'YWFh\r\nYWFh' }, 'content_base64', 'a line break'],
  [{ name: 'a.bin', content_base64: '-_-_' }, 'content_base64', 'the alphabet for URLs'],
  [{ name: 'a.bin', content_base64: '-_-_YWFh' }, 'content_base64', 'its letters in the middle'],
  [{ name: 'a.bin', content_base64: 'YR==' }, 'content_base64', 'bits beyond the last byte'],
  [
    { name: 'a.bin', content_base64: 'data:text/plain;base64,YQ==' },
    'content_base64',
    'a data URI',
  ],
  [{ name: 'a.bin', content_base64: 'Y===' }, 'content_base64', 'too much padding'],
  [{ name: 'a.bin', content_base64: 'YQ==YQ==' }, 'content_base64', 'padding in the middle'],
  [{ name: 'a.docx', content: 'a' }, 'content', 'a Word document as text'],
  [{ name: 'a.PNG', content: 'a' }, 'content', 'a picture as text'],
  [{ name: 'a.exe', content: 'a' }, 'content', 'a program as text'],
  [{ name: 'a.tar.gz', content: 'a' }, 'content', 'an archive as text'],
  [{ name: 'a.txt.zip', content: 'a' }, 'content', 'the last extension counts'],
  [{ name: 'a.nobodyknows', content: 'a' }, 'content', 'an unknown extension as text'],
  [{ name: 'a.pdf', content: '>'.repeat(100) }, 'content', 'markdown that cannot be set'],
  [{ name: 'a.txt', content: 'a', folder_id: 999_999 }, 'folder_id', 'no such folder'],
  [{ name: 'a.txt', content: 'a', folder_id: '1' }, 'folder_id', 'a string for a folder'],
  [{ name: 'r.pdf', content: 'a', folder_id: 999_999 }, 'folder_id', 'no such folder for a PDF'],
]

test('what breaks an upload rule is refused with the field, and leaves nothing behind', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const { id } = majlis.seed.project()
  for (const [body, field, why] of refused) {
    const answer = await api.post(`/projects/${id}/files`, body)
    assert.equal(answer.status, 422, why)
    assertInvalid(answer, field)
  }
  assert.deepEqual(lookInto(majlis, 'select id from files'), [])
  assert.deepEqual(lookInto(majlis, 'select id from jobs'), [])
  assert.deepEqual(storedIn(majlis, 'files'), [])
})

test("a folder of another project, and another company's, are no folders of this one", async (t) => {
  const { majlis, api } = await boot(t)
  const { id } = majlis.seed.project()
  const elsewhere = majlis.seed.project().folder()
  const foreign = majlis.seed.company().project().folder()
  for (const folder_id of [elsewhere.id, foreign.id]) {
    const answer = await api.post(`/projects/${id}/files`, { name: 'a', content: 'a', folder_id })
    assertInvalid(answer, 'folder_id')
  }
})

test('5 MB after decoding is taken, and one byte more is not, as text and as base64', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const { id } = majlis.seed.project()
  const path = `/projects/${id}/files`
  const full = randomBytes(5 * MB)
  const over = Buffer.concat([full, Buffer.from('x')])
  const { status, data } = await api.post(path, {
    name: 'a.bin',
    content_base64: full.toString('base64'),
  })
  assert.deepEqual([status, data.size_bytes, data.size_human], [201, 5 * MB, '5 MB'])
  await majlis.scanner.settled()
  assert.ok((await api.download(`${path}/${data.id}/download`)).bytes.equals(full))
  assertInvalid(
    await api.post(path, { name: 'a.bin', content_base64: over.toString('base64') }),
    'content_base64',
  )
  const letters = 'م'.repeat((5 * MB) / 2)
  assert.equal((await api.post(path, { name: 'a.txt', content: letters })).status, 201)
  assertInvalid(await api.post(path, { name: 'a.txt', content: `${letters}x` }), 'content')
})

test('5 MB of Arabic text that a client has escaped letter by letter is taken', async (t) => {
  const { majlis, api } = await boot(t)
  const escaped = '\\u0645'.repeat((5 * MB) / 2)
  const answer = await api.post(
    `/projects/${majlis.seed.project().id}/files`,
    `{"name": "a.txt", "content": "${escaped}"}`,
  )
  assert.deepEqual([answer.status, answer.data?.size_bytes], [201, 5 * MB])
})

for (const http of ['uws', 'node'] as const) {
  test(`a body over 16 MiB is 422, and one over 1 MiB on another route too, with ${http}`, async (t) => {
    const { majlis, api } = await boot(t, { http })
    const { id } = majlis.seed.project()
    const body = (size: number) => JSON.stringify({ name: 'a.txt', content: 'a'.repeat(size) })
    const huge = await api.post(`/projects/${id}/files`, body(16 * MB))
    assertRefused(huge, 422, 'unprocessable_entity')
    assert.match(huge.message ?? '', /16777216/)
    const link = await api.post(`/projects/${id}/links`, body(MB))
    assertRefused(link, 422, 'unprocessable_entity')
    assert.match(link.message ?? '', /1048576/)
    const below = await api.post(`/projects/${id}/files`, body(15 * MB))
    assertInvalid(below, 'content')
  })
}

test('a body of millions of values is refused before it is read', async (t) => {
  const { majlis, api } = await boot(t)
  const path = `/projects/${majlis.seed.project().id}/files`
  const answer = await api.post(path, `{"name": "a", "content": "a", "x": [${'1,'.repeat(2e6)}1]}`)
  assertRefused(answer, 422, 'unprocessable_entity')
  assert.match(answer.message ?? '', /values/)
})

test('uploading needs manage_files, which the write preset carries', async (t) => {
  const { majlis, api } = await boot(t)
  const { id } = majlis.seed.project()
  const rightless = api.as(await majlis.key({ scope: 'write', operations: ['files:write'] }))
  const body = { name: 'a.txt', content: 'a' }
  assertRefused(await rightless.post(`/projects/${id}/files`, body), 403, 'forbidden')
  const preset = api.as(await majlis.key({ preset: 'write' }))
  assert.equal((await preset.post(`/projects/${id}/files`, body)).status, 201)
})

test('two files of one name in one folder are fine, and the newest is first', async (t) => {
  const { majlis, api } = await boot(t)
  const path = `/projects/${majlis.seed.project().id}/files`
  const first = await api.post(path, { name: 'a.txt', content: '1' })
  const second = await api.post(path, { name: 'a.txt', content: '2' })
  const { files } = (await api.get(path)).data
  assert.deepEqual(
    files.map(({ id }: { id: number }) => id),
    [second.data.id, first.data.id],
  )
})
