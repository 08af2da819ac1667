import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sandbox, TextSeed } from '../../src/index.ts'
import { boot } from '../support/boot.ts'
import { lookInto } from '../support/database.ts'

/** The three rich texts that can be changed: where they are kept, and how one is made. */
const kinds = [
  {
    field: 'notes',
    table: 'task_lists',
    seed: ({ seed }: Sandbox, text: TextSeed) => `/lists/${seed.list({ notes: text }).id}`,
    create: ({ seed }: Sandbox) => `/projects/${seed.project().id}/lists`,
  },
  {
    field: 'notes',
    table: 'tasks',
    seed: ({ seed }: Sandbox, text: TextSeed) => `/tasks/${seed.task({ notes: text }).id}`,
    create: ({ seed }: Sandbox) => `/lists/${seed.list().id}/tasks`,
  },
  {
    field: 'body',
    table: 'discussions',
    seed: ({ seed }: Sandbox, text: TextSeed) =>
      `/discussions/${seed.discussion({ body: text }).id}`,
    create: ({ seed }: Sandbox) => `/projects/${seed.project().id}/discussions`,
  },
] as const

const HTML = '<p>اقرأ <strong>هذا</strong></p>'
const PLAIN = 'اقرأ هذا'

for (const { field, table, seed, create } of kinds) {
  const kept = (majlis: Sandbox) =>
    lookInto<{ plain: string | null; html: string | null }>(
      majlis,
      `select ${field} as plain, ${field}_html as html from ${table} order by id desc limit 1`,
    )[0]

  test(`${table}: ${field} sent as text is kept as sent, and beside it as HTML that shows the same`, async (t) => {
    const { majlis, api } = await boot(t, { storage: 'folder' })
    const text = '<b>1 & 2</b>\r\n"x"\n'
    const { data } = await api.post(create(majlis), { title: 'A', [field]: text })
    assert.equal(data[field], text)
    const html = '&lt;b&gt;1 &amp; 2&lt;/b&gt;<br>&quot;x&quot;<br>'
    assert.deepEqual(kept(majlis), { plain: text, html })
  })

  test(`${table}: without ${field} neither is kept`, async (t) => {
    const { majlis, api } = await boot(t, { storage: 'folder' })
    await api.post(create(majlis), { title: 'A' })
    assert.deepEqual(kept(majlis), { plain: null, html: null })
  })

  test(`${table}: an editor's ${field} keep their formatting until other text is sent`, async (t) => {
    const { majlis, api } = await boot(t, { storage: 'folder' })
    const path = seed(majlis, { html: `${HTML}<script>alert(1)</script>` })
    assert.deepEqual(kept(majlis), { plain: PLAIN, html: HTML })
    assert.equal((await api.get(path)).data[field], PLAIN)
    await api.patch(path, { title: 'Another title' })
    await api.patch(path, { title: 'A third', [field]: PLAIN })
    assert.deepEqual(kept(majlis), { plain: PLAIN, html: HTML })
    await api.patch(path, { [field]: 'a < b' })
    assert.deepEqual(kept(majlis), { plain: 'a < b', html: 'a &lt; b' })
    await api.patch(path, { [field]: null })
    assert.deepEqual(kept(majlis), { plain: null, html: null })
  })
}

test('a comment is kept as text and as HTML that shows the same', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const task = majlis.seed.task()
  await api.post(`/tasks/${task.id}/comments`, { content: '<i>\nنعم' })
  task.comment({ html: '<em onclick="x()">yes</em>' })
  const rows = lookInto(majlis, 'select content, content_html from comments order by id')
  assert.deepEqual(rows, [
    { content: '<i>\nنعم', content_html: '&lt;i&gt;<br>نعم' },
    { content: 'yes', content_html: '<em>yes</em>' },
  ])
})
