import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkNames } from '../../src/admin/check-names.ts'
import { companyDefaults, createCompany } from '../../src/admin/companies.ts'
import { adminContext } from '../../src/admin/context.ts'
import { restoreDiscussion, restoreProject } from '../../src/admin/recover.ts'
import { createUser } from '../../src/admin/users.ts'
import { systemClock } from '../../src/clock.ts'
import type { Db } from '../../src/db/database.ts'
import { departedNames } from '../../src/db/names/departed.ts'
import { nameRebuild } from '../../src/db/names/rebuild.ts'
import { openDatabase } from '../../src/db/open.ts'
import { nameKinds } from '../../src/domain/name-terms.ts'
import type { ProjectRow } from '../../src/resources/projects/store.ts'
import { createStores, type Stores } from '../../src/stores.ts'
import { temporaryFolder } from '../support/process.ts'

interface World {
  db: Db
  file: string
  stores: Stores
  gone: ProjectRow
  restore(): void
}

/** Two projects with a name of every kind in each, and `tasks` tasks in the one that goes. */
function world(t: TestContext, tasks = 3): World {
  const file = join(temporaryFolder(t), 'majlis.db')
  const db = openDatabase(file)
  t.after(() => db.close())
  const context = adminContext(db, systemClock)
  const companyId = createCompany(context, { ...companyDefaults, name: 'A' }).id
  const person = { name: 'Sara', email: 's@x.example', role: 'owner' } as const
  const by = createUser(context, { companyId, ...person }).id
  const stores = createStores(db, context.randomBelow)
  const [gone] = ['Gone', 'Here'].map((word) => fill(stores, companyId, by, word, tasks))
  assert.ok(gone)
  return { db, file, stores, gone, restore: () => restoreProject(context, gone.ref) }
}

function fill(stores: Stores, companyId: number, by: number, word: string, tasks: number) {
  const [now, creatorId, name] = [1, by, `${word} name`]
  const common = { creatorId, now }
  const dates = { start_date: null, end_date: null, description: '', is_public: false }
  const project = stores.projects.create({ companyId, ...common, name, ...dates })
  const fields = { title: name, notes: null, priority: null }
  const list = stores.lists.create({ project, ...common, ...fields })
  const task = { list, ...common, notes: null, due_at: null, assigneeId: null }
  for (let i = 0; i < tasks; i++) stores.tasks.create({ ...task, title: `${name} ${i}` })
  const place = { project, folder: null, name, uploaderId: by, now }
  const folder = { name, description: null, parentId: null }
  stores.folders.create({ project, ...common, ...folder } as never)
  stores.files.link({ ...place, url: 'https://x.example', source: 'x.example' })
  stores.discussions.publish({
    project,
    authorId: by,
    now,
    title: name,
    body: null,
    category: null,
  })
  return project
}

function remove({ db, stores, gone }: World): void {
  db.transaction(() => stores.projects.remove(gone, 2)).immediate()
}

/** Clears `most` slices of two rows away. */
function clear(db: Db, most = Number.POSITIVE_INFINITY): boolean {
  const departed = departedNames(db)
  const project = departed.next()
  assert.ok(project)
  let hasMore = true
  for (let slice = 0; hasMore && slice < most; slice++) {
    const from = slice * 2
    hasMore = db.transaction(() => departed.clear(project, from, from + 2)).immediate()
  }
  return hasMore
}

function found({ stores }: World, text: string): number {
  return stores.search.find(1, text, nameKinds, 25).hits.length
}

function rows(db: Db): number {
  return db.prepare<[], number>('select count(*) from names_docsize').pluck().get() as number
}

test('the names of a deleted project leave the index, and those of others stay', (t) => {
  const it = world(t)
  assert.deepEqual([rows(it.db), found(it, 'name')], [16, 16])
  remove(it)
  assert.deepEqual([rows(it.db), found(it, 'name'), found(it, 'gone')], [16, 8, 0])
  assert.equal(departedNames(it.db).isDue(), true)
  assert.equal(clear(it.db), false)
  assert.deepEqual([rows(it.db), found(it, 'name'), found(it, 'gone')], [8, 8, 0])
  assert.deepEqual([departedNames(it.db).isDue(), departedNames(it.db).next()], [false, null])
  assert.equal(checkNames(it.db).ok, true)
})

test('a restored project is found at once with all its names, whether they had left or not', (t) => {
  for (const slices of [0, 2, Number.POSITIVE_INFINITY]) {
    const it = world(t)
    remove(it)
    clear(it.db, slices)
    it.restore()
    assert.deepEqual([rows(it.db), found(it, 'gone'), found(it, 'here')], [16, 8, 8])
    assert.equal(departedNames(it.db).isDue(), false)
    assert.equal(checkNames(it.db).ok, true)
  }
})

test('clearing that was under way stops when the project is restored', (t) => {
  const it = world(t)
  remove(it)
  const departed = departedNames(it.db)
  const project = departed.next()
  assert.ok(project)
  it.db.transaction(() => departed.clear(project, 0, 2)).immediate()
  it.restore()
  assert.equal(it.db.transaction(() => departed.clear(project, 2, 4)).immediate(), false)
  assert.deepEqual([rows(it.db), found(it, 'gone')], [16, 8])
})

test('clearing that was under way goes no further with a project that was restored and deleted again', (t) => {
  const it = world(t)
  remove(it)
  const departed = departedNames(it.db)
  const project = departed.next()
  assert.ok(project)
  it.db.transaction(() => departed.clear(project, 0, 6)).immediate()
  it.restore()
  remove(it)
  assert.equal(it.db.transaction(() => departed.clear(project, 6, 9)).immediate(), false)
  clear(it.db)
  assert.equal(rows(it.db), 8)
})

test('of two who restore one project at a time one is told, and the index stays right', (t) => {
  const it = world(t, 450)
  remove(it)
  const other = openDatabase(it.file)
  t.after(() => other.close())
  const { stores: theirs } = { stores: createStores(other, () => 0) }
  let isFirst = true
  t.mock.method(Atomics, 'wait', () => {
    if (!isFirst) return 'timed-out'
    isFirst = false
    restoreProject(adminContext(other, systemClock), it.gone.ref)
    const list = theirs.lists.page(it.gone, { limit: 1, offset: 0 })[0]
    assert.ok(list)
    other.transaction(() => theirs.lists.remove(list)).immediate()
    return 'timed-out'
  })
  assert.throws(() => it.restore(), /Another command/)
  assert.equal(checkNames(it.db).detail, 'every name is found by it')
})

test('what a restore that failed has put back is cleared away again', (t) => {
  const it = world(t, 450)
  remove(it)
  clear(it.db)
  const departed = departedNames(it.db)
  const fail = (): never => {
    throw new Error('killed')
  }
  assert.throws(() => departed.bringBack(it.gone.id, fail), /killed/)
  assert.ok(rows(it.db) > 455)
  assert.equal(departed.isDue(), false)
  it.db.exec('update names_to_clear set returning_since = returning_since - 601')
  assert.equal(departed.isDue(), true)
  clear(it.db)
  assert.equal(rows(it.db), 455)
})

test('a deleted discussion stays out of the index when its project, or it in a deleted project, comes back', (t) => {
  const it = world(t)
  const { db, stores, gone } = it
  const [topic] = stores.discussions.page(gone, { limit: 1, offset: 0 })
  assert.ok(topic)
  db.transaction(() => stores.discussions.remove(topic, 2)).immediate()
  remove(it)
  clear(db)
  it.restore()
  assert.deepEqual([rows(db), found(it, 'gone')], [15, 7])
  remove(it)
  clear(db)
  restoreDiscussion(adminContext(db, systemClock), topic.ref)
  assert.equal(rows(db), 8)
  it.restore()
  assert.deepEqual([rows(db), found(it, 'gone')], [16, 8])
})

test('a project of many names comes back whole, also when a new index is begun meanwhile', (t) => {
  const it = world(t, 450)
  remove(it)
  clear(it.db)
  const other = openDatabase(it.file)
  t.after(() => other.close())
  let pauses = 0
  t.mock.method(Atomics, 'wait', () => {
    // Between two slices: then the first of them are not in the new index.
    if (++pauses === 2) other.transaction(nameRebuild(other).begin).immediate()
    return 'timed-out'
  })
  it.restore()
  assert.ok(pauses > 2, `${pauses} pauses`)
  const rebuild = nameRebuild(it.db)
  while (it.db.transaction(() => rebuild.goOn(100)).immediate().phase !== 'done') {}
  assert.equal(rows(it.db), 2 * 455)
  assert.equal(checkNames(it.db).detail, 'every name is found by it')
})

test('a rebuild leaves out what is deleted; a project that is restored during it is in the new index', (t) => {
  for (const before of [0, 1, 2, 4]) {
    const it = world(t)
    remove(it)
    const rebuild = nameRebuild(it.db)
    const goOn = it.db.transaction(() => rebuild.goOn(3))
    it.db.transaction(rebuild.begin).immediate()
    for (let slice = 0; slice < before; slice++) goOn.immediate()
    it.restore()
    while (goOn.immediate().phase !== 'done') {}
    assert.deepEqual([rows(it.db), found(it, 'gone'), found(it, 'here')], [16, 8, 8])
  }
  const it = world(t)
  remove(it)
  const rebuild = nameRebuild(it.db)
  it.db.transaction(rebuild.begin).immediate()
  while (it.db.transaction(() => rebuild.goOn(3)).immediate().phase !== 'done') {}
  assert.equal(rows(it.db), 8)
})

test('a deleted discussion leaves the index at once, and comes back with its restoring', (t) => {
  const it = world(t)
  const { db, stores, gone } = it
  const [topic] = stores.discussions.page(gone, { limit: 1, offset: 0 })
  assert.ok(topic)
  db.transaction(() => stores.discussions.remove(topic, 2)).immediate()
  assert.deepEqual([rows(db), found(it, 'gone')], [15, 7])
  assert.equal(checkNames(db).ok, true)
  restoreDiscussion(adminContext(db, systemClock), topic.ref)
  assert.deepEqual([rows(db), found(it, 'gone')], [16, 8])
})

test('what stands in the index of another company is not answered, whoever put it there', (t) => {
  const it = world(t)
  const row = it.db.prepare("select id * 16 from projects where name = 'Gone name'").pluck().get()
  it.db.prepare('update projects set company_id = company_id + 0').run()
  const other = createCompany(adminContext(it.db, systemClock), { ...companyDefaults, name: 'B' })
  const terms = it.db.prepare('select name_terms(0, ?, 0, ?)').pluck().get(other.id, 'Gone name')
  it.db.prepare('insert or replace into names (rowid, terms) values (?, ?)').run(row, terms)
  assert.equal(it.stores.search.find(other.id, 'gone', nameKinds, 25).hits.length, 0)
})
