import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { client } from '../support/client.ts'
import { companyByCommand } from '../support/company.ts'
import { majlis, serve, temporaryFolder } from '../support/process.ts'

/** A served company of three people, and a key of Sara's that may delete discussions. */
async function company(t: TestContext) {
  const { data, run, key } = await companyByCommand(t)
  for (const name of ['Ali', 'Mona']) {
    const email = `${name.toLowerCase()}@x.example`
    await run('user', 'create', '--company', '1', '--name', name, '--email', email)
  }
  const grant = ['--preset', 'write', '--operations', 'discussions:destructive']
  const { json } = await key(...grant)
  const server = await serve(t, data)
  const api = client(server.baseUrl, json.key)
  const project = (await api.post('/projects', { name: 'Plan', is_public: true })).data
  return { data, run, api, project }
}

test('timeline list shows new discussions, newest first, with the fields of the contract', async (t) => {
  const { data, run, api, project } = await company(t)
  const refs: string[] = []
  for (const title of ['Older', 'أحدث']) {
    refs.push((await api.post('/projects/plan/discussions', { title })).data.id)
  }
  const { code, json } = await run('timeline', 'list', '--company', '1')
  assert.equal(code, 0)
  assert.equal(json.length, 2)
  const [newest] = json
  assert.match(newest.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.deepEqual(newest, {
    id: 2,
    at: newest.at,
    kind: 'discussion.created',
    project: project.id,
    ref: refs[1],
    actor: 'Sara',
    title: 'أحدث',
  })
  assert.equal(json[1].title, 'Older')
  assert.equal((await run('timeline', 'list', '--company', '1', '--limit', '1')).json.length, 1)
  await run('company', 'create', '--name', 'Another')
  assert.deepEqual((await run('timeline', 'list', '--company', '2')).json, [])
  assert.deepEqual((await run('notification', 'list', '--company', '2')).json, [])
  const { stdout } = await majlis(['timeline', 'list', '--company', '1', '--data', data])
  assert.match(stdout, /^at\s+kind\s+project\s+ref\s+actor\s+title\n.*discussion\.created/)
})

test('notification list shows one row a person told, with the fields of the contract', async (t) => {
  const { data, run, api } = await company(t)
  const { data: topic } = await api.post('/projects/plan/discussions', { title: 'Topic' })
  const { json } = await run('notification', 'list', '--company', '1')
  assert.deepEqual(json.map(({ recipient }: { recipient: string }) => recipient).sort(), [
    'ali@x.example',
    'mona@x.example',
  ])
  const { id, at, recipient, ...rest } = json[0]
  assert.deepEqual([id, typeof recipient], [2, 'string'])
  assert.match(at, /Z$/)
  assert.deepEqual(rest, {
    kind: 'discussion.created',
    subject_ref: topic.id,
    state: 'pending',
    attempts: 0,
    last_error: null,
  })
  const { stdout } = await majlis(['notification', 'list', '--company', '1', '--data', data])
  assert.match(stdout, /pending/)
})

test('discussion restore brings a deleted discussion back while the server runs', async (t) => {
  const { run, api } = await company(t)
  const { data: topic } = await api.post('/projects/plan/discussions', { title: 'موضوع' })
  assert.equal((await run('discussion', 'restore', topic.id)).code, 1, 'it is not deleted')
  await api.delete(`/discussions/${topic.id}`)
  const restored = await run('discussion', 'restore', topic.id)
  assert.equal(restored.code, 0)
  assert.deepEqual(restored.json, {
    restored: true,
    discussion: { title: 'موضوع', id: topic.id, slug: 'موضوع' },
  })
  assert.deepEqual((await api.get(`/discussions/${topic.id}`)).data, topic)
  const [entry] = (await run('audit', 'list', '--company', '1')).json
  assert.deepEqual(
    [entry.operation, entry.path],
    ['discussions:restore', `discussion restore ${topic.id}`],
  )
})

test('discussion restore in a deleted project says what else it waits for', async (t) => {
  const { data, run } = await companyByCommand(t)
  const destructive = ['--operations', 'discussions:destructive,projects:destructive']
  const key = ['--company', '1', '--creator', 'sara@x.example', '--name', 'D', '--preset', 'write']
  const made = await run('key', 'create', ...key, ...destructive, '--rights', 'delete_any_project')
  const api = client((await serve(t, data)).baseUrl, made.json.key)
  const project = (await api.post('/projects', { name: 'Plan' })).data
  const { data: topic } = await api.post('/projects/plan/discussions', { title: 'T' })
  await api.delete(`/discussions/${topic.id}`)
  await api.delete('/projects/plan')
  const { stdout } = await majlis(['discussion', 'restore', topic.id, '--data', data])
  assert.match(stdout, new RegExp(`Restored ${topic.id}.*majlis project restore ${project.id}`))
  assert.equal((await api.get(`/discussions/${topic.id}`)).status, 404)
  await run('project', 'restore', project.id)
  assert.equal((await api.get(`/discussions/${topic.id}`)).data.title, 'T')
})

const wrong: [words: string[], code: number, message: RegExp][] = [
  [['discussion', 'restore', 'mjl-0000000000'], 1, /no discussion mjl-0000000000/],
  [['discussion', 'restore'], 2, /REF is missing/],
  [['timeline', 'list'], 2, /--company ID is missing/],
  [['timeline', 'list', '--company', '9'], 1, /9/],
  [['notification', 'list', '--company', '9'], 1, /9/],
  [['notification', 'list', '--company', '1', '--limit', '0'], 2, /--limit/],
]

test('wrong words and unknown records are one line on stderr', async (t) => {
  const { data } = await companyByCommand(t)
  for (const [words, code, message] of wrong) {
    const ended = await majlis([...words, '--data', data, '--json'])
    assert.equal(ended.code, code, words.join(' '))
    assert.match(ended.stderr, message)
    assert.equal(ended.stderr.trimEnd().split('\n').length, 1)
    assert.equal(ended.stdout, '')
  }
})

test('the demo company has lists, tasks, comments and discussions in both languages, and is sound', async (t) => {
  const data = temporaryFolder(t)
  const { baseUrl, greeting } = await serve(t, data, ['--demo'])
  const api = client(baseUrl, (greeting.demo as { key: string }).key)
  const projects = (await api.get('/projects')).data
  const texts: string[] = []
  const categories: (string | null)[] = []
  let attachments = 0
  let minutes = 0
  for (const project of projects) {
    assert.ok(project.task_lists_count > 0 && project.tasks_count > 0)
    for (const topic of (await api.get(`/projects/${project.id}/discussions`)).data) {
      texts.push(topic.title)
      categories.push(topic.category)
    }
    for (const list of (await api.get(`/projects/${project.id}/lists`)).data) {
      for (const task of (await api.get(`/lists/${list.id}/tasks`)).data) {
        texts.push(task.title)
        minutes += task.time_spent_minutes ?? 0
        const comments = (await api.get(`/tasks/${task.id}/comments`)).data
        for (const comment of comments) attachments += comment.attachments.length
      }
    }
  }
  assert.ok(texts.some((text) => /\p{Script=Arabic}/u.test(text)))
  assert.ok(texts.some((text) => /^[\p{Script=Latin}\s]+$/u.test(text)))
  assert.ok(texts.length > 10 && attachments > 0 && minutes > 0)
  assert.ok(categories.includes('قرارات') && categories.includes(null))
  assert.equal((await majlis(['check', '--data', data, '--json'])).json.ok, true)
})

const spoiled: [sql: string, check: string][] = [
  ['update projects set task_lists_count = 99', 'projects.task_lists_count'],
  ['update projects set tasks_count = 99', 'projects.tasks_count'],
  ['update projects set discussions_count = 99', 'projects.discussions_count'],
  ['update projects set root_files_count = 99', 'projects.root_files_count'],
  ['update folders set files_count = 99', 'folders.files_count'],
  ['update task_lists set tasks_count = 99', 'task_lists.tasks_count'],
  ['update task_lists set completed_tasks_count = 99', 'task_lists.completed_tasks_count'],
  ['update task_lists set comments_count = 99', 'task_lists.comments_count'],
  ['update tasks set comments_count = 99', 'tasks.comments_count'],
  ['update discussions set replies_count = 99', 'discussions.replies_count'],
  ['update event_counts set events_count = events_count + 1', 'calendars of people'],
  ['delete from event_counts', 'calendars of people'],
  ['update events set starts_at = starts_at - 1', 'calendars of people'],
  ['update task_blocks set tasks_count = tasks_count + 1', 'order of tasks'],
  ['delete from task_blocks', 'order of tasks'],
  ['insert into task_blocks values (1, 1, 0)', 'order of tasks'],
  ['update task_slugs set task_id = 2 where task_id = 1', 'slugs'],
  ["update task_lists set slug = slug || '-x'", 'slugs'],
  ["update tasks set slug = slug || '-x'", 'slugs'],
  ["update discussions set slug = slug || '-x'", 'slugs'],
  ["update tasks set ref = 'lst-' || substr(ref, 5)", 'refs'],
  ['update tasks set company_id = 2', 'companies'],
  ['update comments set company_id = 2 where task_id is not null', 'companies'],
  ["insert into task_slugs values ((select max(id) from task_lists), 'stray', 1)", 'slugs'],
]

test('check recounts every counter, the order of tasks and every slug, and reports what differs', async (t) => {
  const data = temporaryFolder(t)
  await (await serve(t, data, ['--demo'])).stop()
  await majlis(['company', 'create', '--name', 'Another', '--data', data])
  const db = new Database(join(data, 'majlis.db'))
  t.after(() => db.close())
  for (const [sql, expected] of spoiled) {
    db.exec('begin')
    db.exec(sql)
    db.exec('commit')
    const { code, json } = await majlis(['check', '--data', data, '--json'])
    const reported = json.checks.filter(({ ok }: { ok: boolean }) => !ok).map(nameOf)
    assert.equal(code, 1, sql)
    assert.ok(reported.includes(expected), `${sql}: ${reported}`)
    restoreFrom(db)
    assert.equal((await majlis(['check', '--data', data, '--json'])).json.ok, true, sql)
  }
})

/** The demo's own counts again, by the recount that the check compares with. */
function restoreFrom(db: Database.Database): void {
  db.exec(`
    update projects set
      root_files_count = (select count(*) from files f
                          where f.project_id = projects.id and f.folder_id is null),
      task_lists_count = (select count(*) from task_lists l where l.project_id = projects.id),
      tasks_count = (select count(*) from tasks t join task_lists l on l.id = t.list_id
                     where l.project_id = projects.id),
      discussions_count = (select count(*) from discussions d where d.project_id = projects.id);
    update folders set
      files_count = (select count(*) from files f where f.folder_id = folders.id);
    update task_lists set
      tasks_count = (select count(*) from tasks t where t.list_id = task_lists.id),
      completed_tasks_count = (select count(*) from tasks t
                               where t.list_id = task_lists.id and completed_at is not null),
      comments_count = (select count(*) from comments c where c.list_id = task_lists.id),
      slug = replace(slug, '-x', '');
    delete from task_slugs;
    insert into task_slugs (list_id, slug, task_id)
      select list_id, replace(slug, '-x', ''), id from tasks;
    update comments set company_id = 1;
    update tasks set
      company_id = 1,
      ref = 'tsk-' || substr(ref, 5),
      comments_count = (select count(*) from comments c where c.task_id = tasks.id),
      slug = replace(slug, '-x', '');
    update discussions set
      replies_count = (select count(*) from comments c where c.discussion_id = discussions.id),
      slug = replace(slug, '-x', '');
    update events set starts_at = (select starts_at from event_people where event_id = id limit 1);
    delete from event_counts;
    insert into event_counts (user_id, span, bucket, events_count)
      select user_id, 'season', starts_at / 5529600000, count(*) from event_people group by 1, 3
      union all
      select user_id, 'day', starts_at / 86400000, count(*) from event_people group by 1, 3
      union all
      select user_id, 'quarter', starts_at / 900000, count(*) from event_people group by 1, 3;
    delete from task_blocks;
    insert into task_blocks (list_id, first_position, tasks_count)
      select id, -9007199254740991, tasks_count from task_lists where tasks_count > 0`)
}

function nameOf({ check }: { check: string }): string {
  return check
}
