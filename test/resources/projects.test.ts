import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'

test('a project is made with its name alone, and answers every field', async (t) => {
  const { api } = await boot(t)
  const { status, data, headers } = await api.post('/projects', { name: '  إطلاق المتجر ' })
  assert.equal(status, 201)
  assert.match(data.id, /^prj-[0-9a-hjkmnp-tv-z]{10}$/)
  assert.deepEqual(data, {
    id: data.id,
    slug: 'إطلاق-المتجر',
    name: 'إطلاق المتجر',
    description: '',
    is_public: false,
    archived: false,
    start_date: null,
    end_date: null,
    task_lists_count: 0,
    tasks_count: 0,
    created_at: '2026-03-01T09:00:00Z',
    updated_at: '2026-03-01T09:00:00Z',
  })
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
})

test('a project is made with everything', async (t) => {
  const { api } = await boot(t)
  const fields = {
    name: 'A',
    description: '  two\nlines, <b>kept</b> as sent  ',
    is_public: true,
    start_date: '2026-03-01',
    end_date: '2026-03-01',
  }
  const { data } = await api.post('/projects', fields)
  for (const [field, value] of Object.entries(fields)) assert.equal(data[field], value, field)
})

const invalid: [body: Record<string, unknown>, field: string, why: string][] = [
  [{}, 'name', 'required'],
  [{ name: null }, 'name', 'required'],
  [{ name: '' }, 'name', 'blank'],
  [{ name: ' \t\n\u00a0\u2003\u0085' }, 'name', 'only white space'],
  [{ name: 5 }, 'name', 'no coercion'],
  [{ name: true }, 'name', 'no coercion'],
  [{ name: ['A'] }, 'name', 'no coercion'],
  [{ name: { a: 1 } }, 'name', 'no coercion'],
  [{ name: 'A\u0000B' }, 'name', 'NUL'],
  [{ name: 'م'.repeat(256) }, 'name', 'one too long'],
  [{ name: '🚀'.repeat(256) }, 'name', 'one too long in code points'],
  [{ name: 'A', description: 5 }, 'description', 'no coercion'],
  [{ name: 'A', description: 'x'.repeat(65_537) }, 'description', 'one too long'],
  [{ name: 'A', description: '\u0000' }, 'description', 'NUL'],
  [{ name: 'A', is_public: 'true' }, 'is_public', 'no coercion'],
  [{ name: 'A', is_public: 1 }, 'is_public', 'no coercion'],
  [{ name: 'A', is_public: null }, 'is_public', 'may not be unset'],
  [{ name: 'A', start_date: '2026-02-30' }, 'start_date', 'no such day'],
  [{ name: 'A', start_date: '' }, 'start_date', 'no date'],
  [{ name: 'A', start_date: 20260301 }, 'start_date', 'no coercion'],
  [{ name: 'A', start_date: '2026-03-01T00:00:00Z' }, 'start_date', 'a time is no date'],
  [{ name: 'A', end_date: 'soon' }, 'end_date', 'no date'],
  [{ name: 'A', start_date: '2026-03-02', end_date: '2026-03-01' }, 'end_date', 'before the start'],
]

for (const [body, field, why] of invalid) {
  test(`a project with ${JSON.stringify(body).slice(0, 60)} is 422 naming ${field}: ${why}`, async (t) => {
    const { api } = await boot(t)
    assertInvalid(await api.post('/projects', body), field)
    assert.equal((await api.get('/projects')).body.meta.total, 0, 'nothing was made')
  })
}

const valid: [name: string, kept: string, why: string][] = [
  ['م'.repeat(255), 'م'.repeat(255), 'the longest in Arabic'],
  ['🚀'.repeat(255), '🚀'.repeat(255), 'code points are counted, not halves of them'],
  ['\u2003A\u00a0', 'A', 'every white space is trimmed'],
  ['\u200bA', '\u200bA', 'a zero-width space is no white space'],
  ['\u200f', '\u200f', 'a bidi mark alone is not blank'],
  ['a\ud800b', 'a\ufffdb', 'a lone surrogate becomes U+FFFD'],
  ['<b>x</b> & "y"', '<b>x</b> & "y"', 'text is text'],
  ["'; drop table projects; --", "'; drop table projects; --", 'text is text'],
]

for (const [name, kept, why] of valid) {
  test(`a project may be named ${JSON.stringify(name).slice(0, 30)}: ${why}`, async (t) => {
    const { api } = await boot(t)
    const { data } = await api.post('/projects', { name })
    assert.equal(data.name, kept)
    assert.equal((await api.get(`/projects/${data.id}`)).data.name, kept)
  })
}

test('an error names every field that is wrong', async (t) => {
  const { api } = await boot(t)
  const answer = await api.post('/projects', { name: '', is_public: 'no', end_date: 'x' })
  for (const field of ['name', 'is_public', 'end_date']) assertInvalid(answer, field)
})

test('a project answers to its ref, its slug and its retired slugs', async (t) => {
  const { api } = await boot(t)
  const { data } = await api.post('/projects', { name: 'خطة العمل' })
  const renamed = (await api.patch(`/projects/${data.id}`, { name: 'Work plan' })).data
  assert.equal(renamed.slug, 'work-plan')
  assert.equal(renamed.id, data.id, 'a ref never changes')
  for (const handle of [data.id, 'work-plan', encodeURIComponent('خطة-العمل')]) {
    assert.deepEqual((await api.get(`/projects/${handle}`)).data, renamed)
  }
})

test('a ref of another kind, of another case or of nothing is 404, never read as a slug', async (t) => {
  const { majlis, api } = await boot(t)
  const { id } = majlis.seed.project()
  const code = id.slice(4)
  const wrong = [`lst-${code}`, `tsk-${code}`, `mjl-${code}`, `fil-${code}`, id.toUpperCase()]
  for (const handle of [...wrong, `${id}x`, 'prj-', '1', '-1', '%00', 'a%2fb']) {
    assertRefused(await api.get(`/projects/${handle}`), 404, 'not_found')
  }
})

test('a slug is taken once in the company, by a live or a retired one', async (t) => {
  const { api } = await boot(t)
  const make = async (name: string) => (await api.post('/projects', { name })).data
  const first = await make('Plan')
  assert.equal((await make('plan!')).slug, 'plan-2')
  await api.patch(`/projects/${first.id}`, { name: 'Other' })
  assert.equal((await make('PLAN')).slug, 'plan-3', 'the retired one stays taken')
  assert.equal((await api.get('/projects/plan')).data.id, first.id)
})

test('an unchanged name keeps the slug, and renaming back takes the old slug back', async (t) => {
  const { api } = await boot(t)
  await api.post('/projects', { name: 'Plan' })
  const second = (await api.post('/projects', { name: 'Plan' })).data
  const patch = async (name: string) =>
    (await api.patch(`/projects/${second.id}`, { name })).data.slug
  assert.equal(await patch('Plan'), 'plan-2')
  assert.equal(await patch('plan'), 'plan-2', 'another name of the same slug')
  assert.equal(await patch('Other'), 'other')
  assert.equal(await patch('Plan'), 'plan-2')
  assert.equal(await patch('Other'), 'other')
})

test("a soft-deleted project's slug stays taken", async (t) => {
  const { majlis, api } = await boot(t)
  majlis.seed.project({ name: 'Plan' }).remove()
  assert.equal((await api.post('/projects', { name: 'Plan' })).data.slug, 'plan-2')
})

test('fifty parallel creates of one name give fifty slugs and the right total', async (t) => {
  const { api } = await boot(t, { storage: 'folder' })
  const made = await Promise.all(
    Array.from({ length: 50 }, () => api.post('/projects', { name: 'Same' })),
  )
  const slugs = new Set(made.map(({ data }) => data.slug))
  assert.equal(slugs.size, 50)
  assert.ok(slugs.has('same') && slugs.has('same-50'))
  assert.equal((await api.get('/projects')).body.meta.total, 50)
})

test('PATCH changes only what was sent, null clears what may be unset', async (t) => {
  const { majlis, api } = await boot(t)
  const before = (
    await api.post('/projects', {
      name: 'A',
      description: 'text',
      is_public: true,
      start_date: '2026-01-01',
      end_date: '2026-02-01',
    })
  ).data
  majlis.clock.advance({ hours: 1 })
  const untouched = (await api.patch(`/projects/${before.id}`, { nmae: 'B' })).data
  assert.deepEqual(untouched, before, 'also the time of its last change')
  const changes = { description: null, start_date: null, end_date: null }
  const { data } = await api.patch(`/projects/${before.id}`, changes)
  assert.deepEqual(
    [data.name, data.description, data.is_public, data.start_date, data.end_date],
    ['A', '', true, null, null],
  )
  assert.deepEqual([data.created_at, data.updated_at], [before.created_at, '2026-03-01T10:00:00Z'])
})

const badChanges: [body: Record<string, unknown>, field: string][] = [
  [{ name: null }, 'name'],
  [{ name: ' ' }, 'name'],
  [{ is_public: null }, 'is_public'],
  [{ end_date: '2025-12-31' }, 'end_date'],
  [{ start_date: '2026-02-02' }, 'end_date'],
]

for (const [body, field] of badChanges) {
  test(`PATCH with ${JSON.stringify(body)} is 422 naming ${field}, and changes nothing`, async (t) => {
    const { api } = await boot(t)
    const dates = { start_date: '2026-01-01', end_date: '2026-02-01' }
    const { data } = await api.post('/projects', { name: 'A', ...dates })
    assertInvalid(await api.patch(`/projects/${data.id}`, body), field)
    assert.deepEqual((await api.get(`/projects/${data.id}`)).data, data)
  })
}

test('archive and unarchive are idempotent, and an archived project takes no other write', async (t) => {
  const { majlis, api } = await boot(t)
  const { id } = majlis.seed.project({ name: 'A' })
  const path = `/projects/${id}`
  for (let i = 0; i < 2; i++) {
    const archived = await api.post(`${path}/archive`)
    assert.equal(archived.status, 200)
    assert.equal(archived.data.archived, true)
  }
  assertRefused(await api.patch(path, { name: 'B' }), 403, 'forbidden')
  assertRefused(await api.delete(path), 403, 'forbidden')
  assert.equal((await api.get(path)).data.name, 'A', 'reads go on')
  assert.equal((await api.get(`${path}/members`)).status, 200)
  assert.equal((await api.get('/projects')).body.meta.total, 0)
  for (let i = 0; i < 2; i++)
    assert.equal((await api.post(`${path}/unarchive`)).data.archived, false)
  assert.equal((await api.patch(path, { name: 'B' })).status, 200)
  assert.equal((await api.get('/projects')).body.meta.total, 1)
})

test('a read-only subscription refuses every write and no read', async (t) => {
  const { majlis, api } = await boot(t)
  const { id } = majlis.seed.project()
  majlis.set({ readOnly: true })
  assertRefused(await api.post('/projects', { name: 'B' }), 403, 'forbidden')
  assertRefused(await api.post(`/projects/${id}/archive`), 403, 'forbidden')
  assert.equal((await api.get(`/projects/${id}`)).status, 200)
  majlis.set({ readOnly: false })
  assert.equal((await api.post('/projects', { name: 'B' })).status, 201)
})

test('a delete is soft, needs the right, and everything of the project is 404 until it is restored', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project({ name: 'خطة' })
  const path = `/projects/${project.id}`
  const rightless = await majlis.key({ scope: 'write', operations: ['projects:destructive'] })
  assertRefused(await api.as(rightless).delete(path), 403, 'forbidden')
  const { status, body } = await api.delete(path)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    data: {
      deleted: true,
      recoverable: true,
      project: { name: 'خطة', id: project.id, slug: 'خطة' },
    },
  })
  for (const gone of [path, `${path}/members`, `/projects/${encodeURIComponent('خطة')}`]) {
    assertRefused(await api.get(gone), 404, 'not_found')
  }
  assertRefused(await api.delete(path), 404, 'not_found')
  assert.equal((await api.get('/projects?include_archived=1')).body.meta.total, 0)
  project.restore()
  assert.equal((await api.get(path)).status, 200)
  assert.equal((await api.get('/projects')).body.meta.total, 1)
})
