import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressings } from '../support/addressing.ts'
import { boot } from '../support/boot.ts'
import { assertInvalid, assertRefused } from '../support/client.ts'

for (const at of addressings) {
  for (const kind of ['list', 'task'] as const) {
    const where = `${at.name}, on a ${kind}`

    test(`${where}: a comment answers every field, signed by the key's creator`, async (t) => {
      const { majlis, api } = await boot(t)
      const task = majlis.seed.task()
      const path = `${kind === 'list' ? at.list(task.list) : at.task(task)}/comments`
      const sara = majlis.seed.user({ name: 'سارة', email: 'sara@x.example' })
      const key = await majlis.key({ creator: sara.email })
      const content = '  تم ✅\n<b>not bold</b> & "text"\u200f  '
      const { status, data } = await api.as(key).post(path, { content })
      assert.equal(status, 201)
      assert.deepEqual(data, {
        id: data.id,
        content,
        author: 'سارة',
        created_at: '2026-03-01T09:00:00Z',
        updated_at: '2026-03-01T09:00:00Z',
        attachments: [],
      })
      assert.ok(Number.isInteger(data.id))
      sara.deactivate()
      assert.deepEqual((await api.get(path)).data, [data], 'also after its author has left')
    })

    test(`${where}: comments come oldest first, in pages, with their total`, async (t) => {
      const { majlis, api } = await boot(t)
      const task = majlis.seed.task()
      const subject = kind === 'list' ? task.list : task
      const path = `${kind === 'list' ? at.list(task.list) : at.task(task)}/comments`
      for (const text of ['1', '2', '3', '4']) subject.comment(text)
      ;(kind === 'list' ? task : task.list).comment('on the other')
      const { body } = await api.get(path)
      assert.deepEqual(body.data.map(contentOf), ['1', '2', '3', '4'])
      assert.deepEqual(body.meta, { total: 4, limit: 50, offset: 0, count: 4 })
      const page = (await api.get(`${path}?limit=1&offset=1`)).body
      assert.deepEqual(page.data.map(contentOf), ['2'])
      assert.deepEqual(page.meta, { total: 4, limit: 1, offset: 1, count: 1 })
    })

    test(`${where}: a comment without content is 422, and nothing is kept`, async (t) => {
      const { majlis, api } = await boot(t)
      const task = majlis.seed.task()
      const path = `${kind === 'list' ? at.list(task.list) : at.task(task)}/comments`
      const bad = [undefined, null, '', ' \n\t', 5, ['x'], 'a\u0000b', 'x'.repeat(65_537)]
      for (const content of bad) assertInvalid(await api.post(path, { content }), 'content')
      assert.equal((await api.get(path)).body.meta.total, 0)
      assert.equal((await api.post(path, { content: 'م'.repeat(65_536) })).status, 201)
    })

    test(`${where}: files embedded in a comment leave its text and are named`, async (t) => {
      const { majlis, api } = await boot(t)
      const task = majlis.seed.task()
      const subject = kind === 'list' ? task.list : task
      subject.comment({
        html: '<p>انظر <b>المرفق</b>:</p><action-text-attachment filename="العقد.pdf"></action-text-attachment><p>شكرًا</p>',
      })
      subject.comment({ html: '<img src="/f/a.png" alt="a.png"><img src="/f/b%20c.png">' })
      const path = `${kind === 'list' ? at.list(task.list) : at.task(task)}/comments`
      const [first, second] = (await api.get(path)).data
      assert.equal(first.content, 'انظر المرفق:\n\nشكرًا')
      assert.deepEqual(first.attachments, ['العقد.pdf'])
      assert.equal(second.content, null, 'nothing but attachments is no text')
      assert.deepEqual(second.attachments, ['a.png', 'b c.png'])
    })

    test(`${where}: there is no way to show, change or delete one comment`, async (t) => {
      const { majlis, api } = await boot(t)
      const task = majlis.seed.task()
      const id = (kind === 'list' ? task.list : task).comment('x')
      const path = `${kind === 'list' ? at.list(task.list) : at.task(task)}/comments/${id}`
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        assertRefused(await api.send(method, path), 404, 'unknown_endpoint')
      }
    })
  }
}

test('a key without comments:read or comments:write may not read or write them', async (t) => {
  const { majlis, api } = await boot(t)
  const path = `/tasks/${majlis.seed.task().id}/comments`
  const reader = api.as(await majlis.key({ scope: 'read', operations: ['tasks:read'] }))
  assertRefused(await reader.get(path), 403, 'forbidden')
  const commenter = api.as(await majlis.key({ scope: 'read', operations: ['comments:read'] }))
  assert.equal((await commenter.get(path)).status, 200)
  assertRefused(await commenter.post(path, { content: 'x' }), 403, 'forbidden')
})

function contentOf({ content }: { content: string }): string {
  return content
}
