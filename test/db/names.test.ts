import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import type { Db } from '../../src/db/database.ts'
import { nameRebuild } from '../../src/db/names/rebuild.ts'
import { nameSources } from '../../src/db/names/sources.ts'
import { openDatabase } from '../../src/db/open.ts'
import { newestOf, type Reader, readers } from '../../src/domain/name-reader.ts'
import { wantedIn } from '../../src/domain/name-search.ts'
import { type NameKind, nameKinds, questionsFor, termsOf } from '../../src/domain/name-terms.ts'
import { readWords } from '../../src/domain/name-words.ts'
import { searchStore } from '../../src/resources/search/store.ts'
import { temporaryFolder } from '../support/process.ts'

/** Rules that keep أ apart from ا, rules that keep ة apart from ه, and those that keep neither. */
const older: Reader = { version: 1, read: (text) => readWords(text.replaceAll('أ', 'ظ')) }
const other: Reader = { version: 2, read: (text) => readWords(text.replaceAll('ة', 'ظ')) }
const newer: Reader = { version: 3, read: readWords }

/** A record of company 1, in project 1 or list 1 where it must be in one. */
function add(db: Db, kind: NameKind, id: number, name: string, more = {}): void {
  const { table, column } = nameSources[kind]
  const [ref, slug, common] = [`${kind}-${id}`, `${id}`, { creator_id: 1, updated_at: 0 }]
  const own = {
    project: { ref, slug, ...common },
    task_list: { project_id: 1, ref, slug, ...common },
    task: { list_id: 1, ref, slug, position: id, ...common },
    folder: { project_id: 1, ...common },
    file: { project_id: 1, ref, external_url: 'x', scan_state: 'skipped', uploader_id: 1 },
    discussion: { project_id: 1, ref, slug, author_id: 1, updated_at: 0 },
  }[kind]
  const row = { id, company_id: 1, created_at: 0, [column]: name, ...own, ...more }
  const columns = Object.keys(row)
  db.prepare(`insert into ${table} (${columns}) values (@${columns.join(', @')})`).run(row)
}

function rename(db: Db, kind: NameKind, id: number, name: string): void {
  const { table, column } = nameSources[kind]
  db.prepare(`update ${table} set ${column} = ? where id = ?`).run(name, id)
}

function remove(db: Db, kind: NameKind, id: number): void {
  db.prepare(`delete from ${nameSources[kind].table} where id = ?`).run(id)
}

function open(t: TestContext, file: string, known: readonly Reader[]): Db {
  const db = openDatabase(file, undefined, known)
  t.after(() => db.close())
  return db
}

/** Two companies, and `each` records of every kind, whose names no two of the rules read alike. */
function world(t: TestContext, each: number, known: readonly Reader[] = readers) {
  const file = join(temporaryFolder(t), 'a.db')
  const db = open(t, file, known)
  db.exec(`
    insert into companies (id, name, time_zone, plan, created_at, updated_at)
      values (1, 'A', 'UTC', 'pro', 0, 0), (2, 'B', 'UTC', 'pro', 0, 0);
    insert into users (id, company_id, name, email, email_key, role, created_at)
      values (1, 1, 'Sara', 's@x', 's@x', 'owner', 0)`)
  for (const kind of nameKinds) {
    for (let id = 1; id <= each; id++) add(db, kind, id, `أحمد مدرسة ${id} ${kind}`)
  }
  return { file, db }
}

function found(db: Db, text: string, known: readonly Reader[] = readers): string[] {
  const { hits } = searchStore(db, known).find(1, text, nameKinds, 25)
  return hits.map(({ name }) => name)
}

function rowsOf(db: Db): number[] {
  return db.prepare<[], number>('select id from names_docsize').pluck().all()
}

/** All that stands in the index, of both generations. */
function entries(db: Db): string[] {
  const table = "vocabulary using fts5vocab (main, names, 'instance')"
  db.exec(`create virtual table if not exists temp.${table}`)
  const all = db.prepare<[], string>("select doc || ' ' || term from vocabulary order by 1")
  return all.pluck().all()
}

/** Every name stands in the index under the terms that the reader gives it, once, and nothing else does. */
function assertExact(db: Db, reader: Reader = newestOf(readers)): void {
  const serving = db.prepare("select generation from name_indexes where state = 'serving'")
  const generation = serving.pluck().get() as number
  const rows: number[] = []
  const terms: string[] = []
  for (const [number, kind] of nameKinds.entries()) {
    const { table, column } = nameSources[kind]
    const all = db.prepare<[], [number, number, string]>(
      `select id, company_id, ${column} from ${table}`,
    )
    for (const [id, company, name] of all.raw().all()) {
      const row = id * 16 + generation * 8 + number
      rows.push(row)
      const itsTerms = termsOf(company, kind, reader.read(name)).trim().split(' ')
      for (const term of new Set(itsTerms)) terms.push(`${row} ${term}`)
    }
  }
  assert.deepEqual(entries(db).sort(), terms.sort())
  assert.deepEqual(
    rowsOf(db),
    rows.sort((a, b) => a - b),
  )
}

/** Goes on to the end, by so many names a slice. */
function finish(db: Db, known: readonly Reader[], atMost: number, before = (_: number) => {}) {
  const rebuild = nameRebuild(db, known)
  db.transaction(rebuild.resume).immediate()
  const slice = db.transaction(() => rebuild.goOn(atMost))
  for (let i = 0; ; i++) {
    before(i)
    const progress = slice.immediate()
    if (progress.phase === 'done') return progress
  }
}

test('a name enters, changes and leaves the index with its record, of every kind', (t) => {
  const { db } = world(t, 2)
  assert.equal(found(db, 'احمد').length, 12)
  assertExact(db)
  for (const [number, kind] of nameKinds.entries()) {
    rename(db, kind, 1, `Second${number}`)
    assert.deepEqual(found(db, `second${number}`), [`Second${number}`])
  }
  assert.equal(found(db, 'احمد').length, 6)
  assertExact(db)
  for (const kind of nameKinds.toReversed()) for (const id of [1, 2]) remove(db, kind, id)
  assert.deepEqual([entries(db), rowsOf(db)], [[], []])
})

test('what is deleted with its list, its folder or its project leaves the index as well', (t) => {
  const { db } = world(t, 3)
  add(db, 'folder', 7, 'Below', { parent_id: 1 })
  add(db, 'file', 7, 'Deep', { folder_id: 7 })
  for (const [kind, left] of [
    ['folder', 17],
    ['task_list', 13],
    ['project', 2],
  ] as const) {
    remove(db, kind, 1)
    assert.equal(rowsOf(db).length, left)
    assertExact(db)
  }
})

test('a write that is rolled back, alone or with its transaction, leaves the index as it was', (t) => {
  const { db } = world(t, 3)
  const before = entries(db)
  for (const [begin, back] of [
    ['begin; savepoint one', 'rollback to one; commit'],
    ['begin', 'rollback'],
  ]) {
    db.exec(begin as string)
    add(db, 'project', 9, 'Regretted')
    rename(db, 'task', 2, 'Regretted')
    remove(db, 'folder', 3)
    assert.equal(found(db, 'regretted').length, 2)
    db.exec(back as string)
    assert.deepEqual([entries(db), found(db, 'regretted')], [before, []])
  }
  assertExact(db)
})

test('an update that leaves the name as it is does not touch the index', (t) => {
  const { db } = world(t, 1)
  const pages = (): unknown[] => db.prepare('select id, block from names_data').all()
  const before = pages()
  for (const kind of nameKinds) rename(db, kind, 1, `أحمد مدرسة 1 ${kind}`)
  db.exec('update projects set updated_at = 1; update tasks set position = 9, completed_at = 1')
  db.exec('update folders set files_count = 3; update discussions set updated_at = 1')
  assert.deepEqual(pages(), before)
  rename(db, 'task', 1, 'Another')
  assert.notDeepEqual(pages(), before)
})

test('what a program without our functions deletes leaves the index too', (t) => {
  const { file, db } = world(t, 3)
  const plain = new Database(file)
  plain.exec('delete from task_lists where id = 1; delete from files where id > 2')
  plain.close()
  assert.equal(rowsOf(db).length, 13)
  assertExact(db)
})

test('a fresh database begins with the newest rules, and has nothing to build', (t) => {
  const { file, db } = world(t, 1, [older, newer])
  assert.equal(nameRebuild(db, [older, newer]).isDue(), false)
  assertExact(db, newer)
  assert.equal(nameRebuild(open(t, file, [older, newer]), [older, newer]).isDue(), false)
})

test('no question of a company meets a name of another that has the same', (t) => {
  const { db } = world(t, 0)
  for (let id = 1; id <= 40; id++) add(db, 'project', id, 'المدرسة !')
  const matches = db.prepare<[string], number>('select rowid >> 4 from names where names match ?')
  const met = (company: number): number[] =>
    ['المدرسة', 'م', '!'].flatMap((text) => {
      const wanted = wantedIn(readWords(text))
      const questions = wanted && questionsFor(wanted)(company, 'project')
      assert.ok(questions)
      const { anywhere, sameWords, sameButArticles, beginning } = questions
      const asked = text === '!' ? [anywhere] : [anywhere, sameWords, sameButArticles, beginning]
      return asked.flatMap((question) => matches.pluck().all(question()))
    })
  assert.equal(new Set(met(1)).size, 40)
  assert.deepEqual(met(2), [])
  add(db, 'project', 41, 'المدرسة !', { company_id: 2 })
  assert.deepEqual([new Set(met(1)).size, new Set(met(2))], [40, new Set([41])])
})

test('the old rules answer until every name is read anew, without a gap, and then the new ones', (t) => {
  const { file, db } = world(t, 4, [older])
  const known = [older, newer]
  const before = found(db, 'أحمد', [older])
  assert.deepEqual([before.length, found(db, 'احمد', [older])], [24, []])
  const changed = open(t, file, known)
  assert.equal(nameRebuild(changed, known).isDue(), true)
  const byNew: number[] = []
  const { names } = finish(changed, known, 3, () => {
    assert.deepEqual(found(changed, 'أحمد', known), before)
    byNew.push(found(changed, 'احمد', known).length)
  })
  assert.equal(names, 24)
  assert.deepEqual([...new Set(byNew)], [0, 24])
  assert.equal(nameRebuild(changed, known).isDue(), false)
  assertExact(changed, newer)
})

test('names that come, change and go during a rebuild are right after it, wherever it was', (t) => {
  const { file } = world(t, 6, [older])
  const known = [older, newer]
  const db = open(t, file, known)
  finish(db, known, 5, (slice) => {
    for (const [number, kind] of nameKinds.entries()) {
      add(db, kind, 100 + slice, `أحدث مدرسة ${slice}`)
      rename(db, kind, 2 + ((slice + number) % 2), `أقدم ${slice} مدرسة`)
      if (slice === number || slice === number + 8) remove(db, kind, slice < 8 ? 4 : 5)
    }
    assert.equal(found(db, `أحدث ${slice}`, known).length, 6)
    assert.equal(found(db, `أقدم ${slice}`, known).length, 6)
  })
  assertExact(db, newer)
})

test('a rebuild that was broken off goes on from its place, and reads no name twice', (t) => {
  const { file } = world(t, 4, [older])
  let read = 0
  const count = (text: string) => {
    read++
    return readWords(text)
  }
  const counting = [older, { version: 3, read: count }]
  for (let opened = 0; opened < 12; opened++) {
    const db = openDatabase(file, undefined, counting)
    const rebuild = nameRebuild(db, counting)
    rebuild.resume()
    rebuild.goOn(5)
    db.close()
  }
  assert.equal(read, 24)
  const db = open(t, file, counting)
  assert.equal(nameRebuild(db, counting).isDue(), false)
  assertExact(db, newer)
})

test('a rebuild by rules that are no longer the newest begins anew', (t) => {
  for (const sofar of [2, 5, 7]) {
    const { file } = world(t, 4, [older])
    const half = open(t, file, [older, other])
    const rebuild = nameRebuild(half, [older, other])
    rebuild.resume()
    for (let slice = 0; slice < sofar; slice++) rebuild.goOn(5)
    const known = [older, other, newer]
    finish(open(t, file, known), known, 5)
    assertExact(half, newer)
  }
})

test('two connections go on with one rebuild in turns, and nothing is lost or doubled', (t) => {
  const { file } = world(t, 4, [older])
  const known = [older, newer]
  const both = [open(t, file, known), open(t, file, known)] as const
  const rebuilds = both.map((db) => nameRebuild(db, known))
  for (const rebuild of rebuilds) rebuild.resume()
  const phases = Array.from({ length: 14 }, (_, i) => rebuilds[i % 2]?.goOn(4).phase)
  assert.deepEqual([phases[5], phases[6], phases.at(-1)], ['reading', 'clearing', 'done'])
  assert.equal(rebuilds[0]?.goOn(4).names, 24)
  assertExact(both[1], newer)
})
