import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressings } from '../support/addressing.ts'
import { boot } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'
import { lookInto } from '../support/database.ts'

test('a discussion is published at once, and answers every field', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  const sent = { title: ' أي يوم نفتتح؟ ', body: 'السبت\nor Sunday?', category: 'mine' }
  const { status, data } = await api.post(`/projects/${project.slug}/discussions`, sent)
  assert.equal(status, 201)
  assert.match(data.id, /^mjl-[0-9a-hjkmnp-tv-z]{10}$/)
  assert.deepEqual(data, {
    id: data.id,
    slug: 'أي-يوم-نفتتح',
    title: 'أي يوم نفتتح؟',
    body: 'السبت\nor Sunday?',
    category: null,
    author: 'Owner',
    replies_count: 0,
    created_at: '2026-03-01T09:00:00Z',
  })
  assert.deepEqual((await api.get(`/projects/${project.id}/discussions`)).data, [data])
})

test('discussions come newest first, in pages, with their total', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project()
  for (const title of ['One', 'Two', 'Three', 'Four']) project.discussion({ title })
  majlis.seed.discussion({ title: 'Of another project' })
  const { body } = await api.get(`/projects/${project.id}/discussions?limit=2`)
  assert.deepEqual(body.data.map(titleOf), ['Four', 'Three'])
  assert.deepEqual(body.meta, { total: 4, limit: 2, offset: 0, count: 2 })
  const second = (await api.get(`/projects/${project.id}/discussions?limit=1&offset=1`)).body
  assert.deepEqual(second.data.map(titleOf), ['Three'])
})

const invalid: [body: Record<string, unknown>, field: string, why: string][] = [
  [{}, 'title', 'required'],
  [{ title: null }, 'title', 'required'],
  [{ title: '' }, 'title', 'blank'],
  [{ title: 5 }, 'title', 'no coercion'],
  [{ title: 'x'.repeat(256) }, 'title', 'too long'],
  [{ title: 'A', body: 5 }, 'body', 'no coercion'],
  [{ title: 'A', body: 'x'.repeat(65_537) }, 'body', 'too long'],
  [{ title: 'A', body: '\u0000' }, 'body', 'NUL'],
]

for (const [body, field, why] of invalid) {
  test(`a discussion with ${JSON.stringify(body).slice(0, 40)} is 422 naming ${field}: ${why}; nobody is told`, async (t) => {
    const { majlis, api } = await boot(t, { storage: 'folder' })
    majlis.seed.user()
    const project = majlis.seed.project({ is_public: true })
    assertInvalid(await api.post(`/projects/${project.id}/discussions`, body), field)
    for (const table of ['discussions', 'notifications', 'timeline_entries']) {
      assert.deepEqual(lookInto(majlis, `select id from ${table}`), [], table)
    }
  })
}

for (const at of addressings) {
  test(`${at.name}: a discussion is shown and changed, and its category and author stay`, async (t) => {
    const { majlis, api } = await boot(t)
    const sara = majlis.seed.user({ name: 'Sara', email: 'sara@x.example' })
    const discussion = majlis.seed.discussion({
      title: 'Old',
      body: 'x',
      category: 'قرارات',
      by: sara.email,
    })
    discussion.reply('one')
    discussion.reply('two')
    const path = at.discussion(discussion)
    const before = (await api.get(path)).data
    assert.deepEqual([before.category, before.author, before.replies_count], ['قرارات', 'Sara', 2])
    const sent = { title: 'New', body: null, category: 'x', author: 'y', replies_count: 9 }
    const { status, data } = await api.patch(path, sent)
    assert.equal(status, 200)
    assert.deepEqual(data, { ...before, title: 'New', slug: 'new', body: null })
    const again = (await api.get(`/projects/${discussion.project.id}/discussions/old`)).data
    assert.equal(again.id, discussion.id, 'the retired slug goes on resolving')
    assertInvalid(await api.patch(path, { title: null }), 'title')
    assertInvalid(await api.patch(path, { body: 1 }), 'body')
  })

  test(`${at.name}: deleting a discussion is soft, says so, and an administrator brings it back`, async (t) => {
    const { majlis, api } = await boot(t)
    const discussion = majlis.seed.discussion({ title: 'Topic' })
    discussion.reply('kept')
    const path = at.discussion(discussion)
    const before = (await api.get(path)).data
    const answer = await api.delete(path)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.data, {
      deleted: true,
      recoverable: true,
      discussion: { title: 'Topic', id: discussion.id, slug: 'topic' },
    })
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      assertRefused(
        await api.send(method, path, method === 'PATCH' ? {} : undefined),
        404,
        'not_found',
      )
    }
    const collection = `/projects/${discussion.project.id}/discussions`
    assert.deepEqual((await api.get(collection)).body.meta.total, 0)
    assert.deepEqual((await api.get(collection)).data, [])
    const second = (await api.post(collection, { title: 'Topic' })).data
    assert.equal(second.slug, 'topic-2', 'its slug stays taken')
    discussion.restore()
    assert.deepEqual((await api.get(path)).data, before)
    assert.equal((await api.get(collection)).body.meta.total, 2)
    assert.throws(() => discussion.restore(), /is not deleted/)
  })

  test(`${at.name}: deleting a discussion takes discussions:destructive and no right`, async (t) => {
    const { majlis, api } = await boot(t)
    const discussion = majlis.seed.discussion()
    const writer = api.as(await majlis.key({ preset: 'write' }))
    assertRefused(await writer.delete(at.discussion(discussion)), 403, 'forbidden')
    const able = await majlis.key({ scope: 'write', operations: ['discussions:destructive'] })
    assert.equal((await api.as(able).delete(at.discussion(discussion))).status, 200)
  })

  test(`${at.name}: an archived project freezes its discussions`, async (t) => {
    const { majlis, api } = await boot(t)
    const discussion = majlis.seed.discussion()
    const archived = discussion.project.archive()
    const path = at.discussion(discussion)
    assertRefused(await api.patch(path, { title: 'x' }), 403, 'forbidden')
    assertRefused(await api.delete(path), 403, 'forbidden')
    const create = `/projects/${archived.id}/discussions`
    assertRefused(await api.post(create, { title: 'x' }), 403, 'forbidden')
    assert.equal((await api.get(path)).status, 200)
  })
}

function titleOf({ title }: { title: string }): string {
  return title
}
