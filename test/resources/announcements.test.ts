import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sandbox, SeededProject } from '../../src/index.ts'
import { type Booted, boot } from '../support/boot.ts'
import { lookInto, openForWriting } from '../support/database.ts'

async function withPeople(t: Parameters<typeof boot>[0]): Promise<Booted> {
  const booted = await boot(t, { storage: 'folder' })
  for (const name of ['sara', 'ahmad', 'left']) {
    booted.majlis.seed.user({ name, email: `${name}@x.example` })
  }
  return booted
}

function told(majlis: Sandbox, ref: string): string[] {
  return lookInto<{ email: string }>(
    majlis,
    `select u.email from notifications n join users u on u.id = n.recipient_id
     where n.subject_ref = ? order by u.email`,
    ref,
  ).map(({ email }) => email)
}

function subscribed(majlis: Sandbox, ref: string): string[] {
  return lookInto<{ email: string }>(
    majlis,
    `select u.email from discussion_subscribers s
     join users u on u.id = s.user_id join discussions d on d.id = s.discussion_id
     where d.ref = ? order by u.email`,
    ref,
  ).map(({ email }) => email)
}

async function publish({ majlis, api }: Booted, project: SeededProject, creator?: string) {
  const key = await majlis.key(creator === undefined ? {} : { creator })
  const path = `/projects/${project.id}/discussions`
  return (await api.as(key).post(path, { title: 'Topic' })).data.id as string
}

test("a private project's active members, less the author, are subscribed and told, once each", async (t) => {
  const booted = await withPeople(t)
  const { majlis } = booted
  const project = majlis.seed.project()
  for (const name of ['sara', 'left']) project.addMember(`${name}@x.example`)
  majlis.seed.user({ email: 'stranger@x.example' })
  const { deactivate } = majlis.seed.user({ email: 'gone@x.example' })
  project.addMember('gone@x.example')
  deactivate()
  const ref = await publish(booted, project, 'sara@x.example')
  const audience = ['left@x.example', majlis.company.owner.email].sort()
  assert.deepEqual(told(majlis, ref), audience)
  assert.deepEqual(subscribed(majlis, ref), audience)
})

test('of a public project every active person of the company is told, less the author, and no other company', async (t) => {
  const booted = await withPeople(t)
  const { majlis } = booted
  majlis.seed.company().user({ email: 'foreign@y.example' })
  const ref = await publish(booted, majlis.seed.project({ is_public: true }))
  assert.deepEqual(told(majlis, ref), ['ahmad@x.example', 'left@x.example', 'sara@x.example'])
})

test('an author who is no member is not told either', async (t) => {
  const booted = await withPeople(t)
  const { majlis } = booted
  const ref = await publish(booted, majlis.seed.project(), 'ahmad@x.example')
  assert.deepEqual(told(majlis, ref), [majlis.company.owner.email])
})

test('a notification is a row that waits to be delivered', async (t) => {
  const booted = await withPeople(t)
  const { majlis } = booted
  await publish(booted, majlis.seed.project({ is_public: true }))
  const rows = lookInto<Record<string, unknown>>(
    majlis,
    'select kind, state, attempts, last_error, at, next_attempt_at, sent_at from notifications',
  )
  const at = Date.parse('2026-03-01T09:00:00Z')
  assert.equal(rows.length, 3)
  for (const row of rows) {
    assert.deepEqual(row, {
      kind: 'discussion.created',
      state: 'pending',
      attempts: 0,
      last_error: null,
      at,
      next_attempt_at: at,
      sent_at: null,
    })
  }
})

test('a new discussion is one entry of the timeline, and nothing else is', async (t) => {
  const booted = await withPeople(t)
  const { majlis, api } = booted
  const project = majlis.seed.project()
  const ref = await publish(booted, project, 'sara@x.example')
  await api.patch(`/discussions/${ref}`, { title: 'Renamed' })
  await api.delete(`/discussions/${ref}`)
  const entries = lookInto(
    majlis,
    `select t.kind, t.ref, t.title, t.at, t.company_id, u.name as actor, p.ref as project
     from timeline_entries t join users u on u.id = t.actor_id join projects p on p.id = t.project_id`,
  )
  const company_id = majlis.company.id
  const at = Date.parse('2026-03-01T09:00:00Z')
  const where = { at, company_id, project: project.id }
  assert.deepEqual(entries, [
    { kind: 'discussion.created', ref, title: 'Topic', actor: 'sara', ...where },
  ])
})

test('changing, deleting and restoring a discussion tells nobody again', async (t) => {
  const { majlis, api } = await withPeople(t)
  const discussion = majlis.seed.project({ is_public: true }).discussion()
  const before = told(majlis, discussion.id)
  await api.patch(`/discussions/${discussion.id}`, { body: 'new' })
  await api.delete(`/discussions/${discussion.id}`)
  discussion.restore()
  assert.deepEqual(told(majlis, discussion.id), before)
})

test('a discussion that cannot be announced is not published', async (t) => {
  const booted = await withPeople(t)
  const { majlis, api } = booted
  const project = majlis.seed.project({ is_public: true })
  breakTimeline(majlis)
  const answer = await api.post(`/projects/${project.id}/discussions`, { title: 'Topic' })
  assert.equal(answer.status, 500)
  for (const table of [
    'discussions',
    'notifications',
    'discussion_subscribers',
    'discussion_slugs',
  ]) {
    assert.deepEqual(lookInto(majlis, `select 1 from ${table}`), [], table)
  }
  const { body } = await api.get(`/projects/${project.id}/discussions`)
  assert.equal(body.meta.total, 0)
})

function breakTimeline(majlis: Sandbox): void {
  const db = openForWriting(majlis)
  db.exec(`create trigger no_timeline before insert on timeline_entries
           begin select raise(abort, 'the timeline is broken'); end`)
  db.close()
}
