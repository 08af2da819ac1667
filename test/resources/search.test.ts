import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'
import type { Api } from '../support/client.ts'
import { lookInto } from '../support/database.ts'
import { eventually } from '../support/stored.ts'

interface Hit {
  type: string
  id?: string
  title?: string
  name?: string
}

async function found(api: Api, query: string): Promise<string[]> {
  const { status, data } = await api.get(`/search?${query}`)
  assert.equal(status, 200)
  return data.results.map((hit: Hit) => `${hit.type}: ${hit.title ?? hit.name}`)
}

const q = (text: string) => `q=${encodeURIComponent(text)}`

test('a hit of each kind has its shape, and the kinds come in the order of the catalogue', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project({ name: 'أحمد: المشروع' })
  const discussion = project.discussion({ title: 'رأي أحمد' })
  const folder = project.folder({ name: 'صور أحمد' })
  const file = folder.link({ name: 'سيرة أحمد.pdf' })
  const atRoot = project.link({ name: 'توقيع أحمد' })
  const list = project.list({ title: 'مهام أحمد' })
  const task = list.task({ title: 'اتصل بأحمد أحمد' })
  task.complete()
  const { data, status, body } = await api.get(`/search?${q('احمد')}`)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['data'])
  const { id: project_id, slug: project_slug } = project
  assert.deepEqual(data, {
    query: 'احمد',
    results: [
      { type: 'project', id: project_id, title: 'أحمد: المشروع', project_slug, archived: false },
      {
        type: 'task_list',
        id: list.id,
        title: 'مهام أحمد',
        project_slug,
        task_list_slug: list.slug,
        completed: true,
      },
      {
        type: 'task',
        id: task.id,
        title: 'اتصل بأحمد أحمد',
        project_slug,
        task_list_slug: list.slug,
        task_slug: task.slug,
        completed: true,
      },
      { type: 'folder', name: 'صور أحمد', project_slug, folder_id: folder.id },
      {
        type: 'file',
        id: atRoot.ref,
        name: 'توقيع أحمد',
        project_slug,
        folder_id: null,
        file_id: atRoot.id,
      },
      {
        type: 'file',
        id: file.ref,
        name: 'سيرة أحمد.pdf',
        project_slug,
        folder_id: folder.id,
        file_id: file.id,
      },
      {
        type: 'discussion',
        id: discussion.id,
        title: 'رأي أحمد',
        project_slug,
        discussion_slug: discussion.slug,
      },
    ],
    truncated: [],
  })
})

test('completed says whether a list has tasks and all of them are done', async (t) => {
  const { majlis, api } = await boot(t)
  const list = majlis.seed.list({ title: 'Launch' })
  const completed = async () => (await api.get('/search?q=launch')).data.results[0].completed
  assert.equal(await completed(), false)
  const task = list.task({ title: 'Only one' })
  assert.equal(await completed(), false)
  task.complete()
  assert.equal(await completed(), true)
})

for (const query of [
  '',
  'q=',
  'q=%20%20',
  'q=%E3%80%80%09%0a',
  'q=%00',
  'q=%E2%80%8F',
  'types=task',
]) {
  test(`a blank query finds nothing: ?${query}`, async (t) => {
    const { majlis, api } = await boot(t)
    majlis.seed.project({ name: 'Anything' })
    const sent = new URLSearchParams(query).get('q') ?? ''
    const { status, data } = await api.get(`/search?${query}`)
    assert.equal(status, 200)
    assert.deepEqual(data, { query: sent, results: [], truncated: [] })
  })
}

test('query is q as it was sent, spaces and all', async (t) => {
  const { api } = await boot(t)
  for (const text of [' أحمد  ', 'a+b & c', '"AND" #1 %', '\u202bx\u202c', '😀']) {
    assert.equal((await api.get(`/search?${q(text)}`)).data.query, text)
  }
  assert.equal((await api.get('/search?q=a+b')).data.query, 'a b')
})

const kinds = ['project', 'task_list', 'task', 'folder', 'file', 'discussion']

const typesTable: [query: string, kinds: string[]][] = [
  ['', kinds],
  ['types=', kinds],
  ['types=task', ['task']],
  ['types=task&types=project', ['project', 'task']],
  ['types=discussion,task', ['task', 'discussion']],
  ['types=folder,%20file', ['folder', 'file']],
  ['types[]=file', ['file']],
  ['types[]=file&types[]=folder', ['folder', 'file']],
  ['types%5B%5D=task_list', ['task_list']],
  ['types=task&types[]=file,folder', ['task', 'folder', 'file']],
  ['types=task&types=comment', ['task']],
  ['types=task,task', ['task']],
  ['types=comment', []],
  ['types=Task', []],
  ['types=comment&types=event', []],
  ['types[]=nonsense,', []],
]

test('types chooses the kinds in all its spellings; unknown ones are ignored, and only unknown ones find nothing', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project({ name: 'Same' })
  project.list({ title: 'Same' }).task({ title: 'Same' })
  project.folder({ name: 'Same' }).link({ name: 'Same' })
  project.discussion({ title: 'Same' })
  for (const [query, wanted] of typesTable) {
    const { data } = await api.get(`/search?q=same&${query}`)
    assert.deepEqual(
      data.results.map((hit: Hit) => hit.type),
      wanted,
      query,
    )
    assert.deepEqual(data.truncated, [], query)
  }
})

test('per_type is 5 unless given, from 1 to 25, and truncated names the kinds of which there are more', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project({ name: 'Report' })
  const list = project.list({ title: 'Work' })
  for (let i = 1; i <= 30; i++) list.task({ title: `Report ${i}` })
  for (let i = 1; i <= 5; i++) project.discussion({ title: `Report ${i}` })
  const table: [query: string, tasks: number, discussions: number, truncated: string[]][] = [
    ['', 5, 5, ['task']],
    ['&per_type=5', 5, 5, ['task']],
    ['&per_type=4', 4, 4, ['task', 'discussion']],
    ['&per_type=1', 1, 1, ['task', 'discussion']],
    ['&per_type=0', 1, 1, ['task', 'discussion']],
    ['&per_type=-3', 1, 1, ['task', 'discussion']],
    ['&per_type=25', 25, 5, ['task']],
    ['&per_type=26', 25, 5, ['task']],
    ['&per_type=99999999999999999999', 25, 5, ['task']],
    ['&per_type=abc', 5, 5, ['task']],
    ['&per_type=', 5, 5, ['task']],
  ]
  for (const [query, tasks, discussions, truncated] of table) {
    const { data } = await api.get(`/search?q=report${query}`)
    const count = (type: string) => data.results.filter((hit: Hit) => hit.type === type).length
    assert.deepEqual(
      [count('task'), count('discussion'), data.truncated],
      [tasks, discussions, truncated],
    )
  }
  const { data } = await api.get('/search?q=report&per_type=25&types=project')
  assert.deepEqual([data.results.length, data.truncated], [1, []])
})

test('a kind of which exactly as many match as are answered is not truncated', async (t) => {
  const { majlis, api } = await boot(t)
  for (let i = 1; i <= 25; i++) majlis.seed.project({ name: `Plan ${i}` })
  const { data } = await api.get('/search?q=plan&per_type=25')
  assert.deepEqual([data.results.length, data.truncated], [25, []])
})

test('names that are the query come first, then beginnings, then the rest, the newer first among equals', async (t) => {
  const { majlis, api } = await boot(t)
  const names = [
    'مدرسة',
    'مدرسة النور',
    'خطة المدرسة',
    'المدرسة',
    'مَدْرَسَة',
    'المدرسة الكبرى',
    'نقل المدرسة',
  ]
  for (const name of names) majlis.seed.project({ name })
  const wanted = [
    'مَدْرَسَة',
    'مدرسة',
    'المدرسة',
    'المدرسة الكبرى',
    'مدرسة النور',
    'نقل المدرسة',
    'خطة المدرسة',
  ].map((name) => `project: ${name}`)
  assert.deepEqual(await found(api, `${q('مدرسه')}&per_type=25`), wanted)
  for (let i = 0; i < 40; i++) majlis.seed.project({ name: `زيارة المدرسة ${i}` })
  assert.deepEqual((await found(api, `${q('مدرسه')}&per_type=25`)).slice(0, 5), wanted.slice(0, 5))
  assert.deepEqual(await found(api, `${q('مدرسه')}&per_type=3`), wanted.slice(0, 3))
})

test('what is in an archived project is found, and the project says that it is archived', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project({ name: 'Quarter one' })
  project.list({ title: 'Quarter list' }).task({ title: 'Quarter task' })
  await api.post(`/projects/${project.id}/archive`)
  const { data } = await api.get('/search?q=quarter')
  assert.deepEqual(
    data.results.map((hit: { type: string; archived?: boolean }) => [hit.type, hit.archived]),
    [
      ['project', true],
      ['task_list', undefined],
      ['task', undefined],
    ],
  )
})

test('a deleted project is out of search with everything below it', async (t) => {
  const { majlis, api } = await boot(t)
  const project = majlis.seed.project({ name: 'Gone' })
  project.list({ title: 'Gone' }).task({ title: 'Gone' })
  project.folder({ name: 'Gone' }).link({ name: 'Gone' })
  project.discussion({ title: 'Gone' })
  majlis.seed.project({ name: 'Gone but here' })
  assert.equal((await found(api, 'q=gone')).length, 7)
  await api.delete(`/projects/${project.id}`)
  assert.deepEqual(await found(api, 'q=gone'), ['project: Gone but here'])
})

test('a deleted discussion is out of search', async (t) => {
  const { majlis, api } = await boot(t)
  const topic = majlis.seed.discussion({ title: 'Where to meet' })
  assert.deepEqual(await found(api, 'q=meet'), ['discussion: Where to meet'])
  await api.delete(`/discussions/${topic.id}`)
  assert.deepEqual(await found(api, 'q=meet'), [])
})

test('a NUL anywhere in q finds nothing', async (t) => {
  const { majlis, api } = await boot(t)
  majlis.seed.project({ name: 'Plan' })
  for (const query of ['q=plan%00', 'q=%00plan', 'q=pl%00an', 'q=plan%20%00']) {
    const { data } = await api.get(`/search?${query}`)
    assert.deepEqual([data.results, data.truncated], [[], []], query)
  }
})

test('the names of a deleted project leave the index soon, and are back with its restoring', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const project = majlis.seed.project({ name: 'Gone' })
  project.list({ title: 'Gone' }).task({ title: 'Gone' })
  const rows = () => lookInto(majlis, 'select id from names_docsize').length
  assert.equal(rows(), 3)
  await api.delete(`/projects/${project.id}`)
  await eventually(() => assert.equal(rows(), 0))
  project.restore()
  assert.deepEqual([rows(), (await found(api, 'q=gone')).length], [3, 3])
})

test('nothing of another company is found', async (t) => {
  const { majlis, api } = await boot(t)
  majlis.seed.company({ name: 'Other' }).project({ name: 'Secret plan' })
  majlis.seed.project({ name: 'Plan' })
  assert.deepEqual(await found(api, 'q=plan'), ['project: Plan'])
  assert.deepEqual(await found(api, 'q=secret'), [])
})

test('search needs account:read and nothing else', async (t) => {
  const { majlis, api } = await boot(t)
  majlis.seed.project({ name: 'Plan' })
  const key = await majlis.key({ scope: 'read', operations: ['account:read'], rights: [] })
  assert.deepEqual(await found(api.as(key), 'q=plan'), ['project: Plan'])
  const without = await majlis.key({ scope: 'read', operations: ['projects:read'], rights: [] })
  assert.equal((await api.as(without).get('/search?q=plan')).status, 403)
})
