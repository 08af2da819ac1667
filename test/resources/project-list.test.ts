import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'

const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

test('projects are listed newest first, archived ones only when asked for, deleted ones never', async (t) => {
  const { majlis, api } = await boot(t)
  majlis.seed.project({ name: 'A' })
  majlis.seed.project({ name: 'B' }).archive()
  majlis.seed.project({ name: 'C' })
  majlis.seed.project({ name: 'D' }).remove()
  const open = await api.get('/projects')
  assert.deepEqual(names(open.data), ['C', 'A'])
  assert.deepEqual(open.body.meta, { total: 2, limit: 50, offset: 0, count: 2 })
  for (const yes of ['true', '1']) {
    const all = await api.get(`/projects?include_archived=${yes}`)
    assert.deepEqual(names(all.data), ['C', 'B', 'A'])
    assert.equal(all.body.meta.total, 3)
  }
  for (const no of ['false', '0', 'yes', 'TRUE', '']) {
    assert.equal((await api.get(`/projects?include_archived=${no}`)).data.length, 2, no)
  }
})

const windows: [query: string, limit: number, offset: number, count: number, why: string][] = [
  ['', 50, 0, 50, 'the defaults'],
  ['limit=10', 10, 0, 10, 'as asked'],
  ['limit=0', 1, 0, 1, 'below 1 is 1'],
  ['limit=-5', 1, 0, 1, 'below 1 is 1'],
  ['limit=101', 100, 0, 100, 'above 100 is 100'],
  ['limit=99999999999999999999', 100, 0, 100, 'however far above'],
  ['limit=abc', 50, 0, 50, 'no number is the default'],
  ['limit=', 50, 0, 50, 'nothing is the default'],
  ['limit=1e1', 50, 0, 50, 'no plain number'],
  ['limit=2.9', 2, 0, 2, 'cut to a whole number'],
  ['offset=100', 50, 100, 5, 'the last ones'],
  ['offset=104&limit=10', 10, 104, 1, 'the very last'],
  ['offset=1000', 50, 1000, 0, 'past the end'],
  ['offset=-1', 50, 0, 50, 'negative is 0'],
  ['offset=abc', 50, 0, 50, 'no number is 0'],
  ['offset=99999999999999999999', 50, 9007199254740991, 0, 'very far past the end'],
  ['limit=%zz&offset=%', 50, 0, 50, 'what cannot be decoded is no number'],
]

test('limit and offset are clamped, and total ignores them', async (t) => {
  const { majlis, api } = await boot(t, { plan: 'productive' })
  for (let i = 0; i < 105; i++) majlis.seed.project({ name: `P${i}` })
  for (const [query, limit, offset, count, why] of windows) {
    const { body } = await api.get(`/projects?${query}`)
    assert.deepEqual(body.meta, { total: 105, limit, offset, count }, `${query}: ${why}`)
    assert.equal(body.data.length, count)
  }
})

test('pages that follow each other hold every project once', async (t) => {
  const { majlis, api } = await boot(t)
  for (let i = 0; i < 25; i++) majlis.seed.project({ name: `P${i}` })
  const seen: string[] = []
  for (let offset = 0; offset < 25; offset += 10) {
    seen.push(...names((await api.get(`/projects?limit=10&offset=${offset}`)).data))
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 25 }, (_, i) => `P${24 - i}`),
  )
})
