import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkNames } from '../../src/admin/check-names.ts'
import { type GroupCommit, groupCommit } from '../../src/db/commit.ts'
import type { Db } from '../../src/db/database.ts'
import { departedNames } from '../../src/db/names/departed.ts'
import { type NameRebuild, nameRebuild } from '../../src/db/names/rebuild.ts'
import { openDatabase } from '../../src/db/open.ts'
import { type Reader, readers } from '../../src/domain/name-reader.ts'
import { readWords } from '../../src/domain/name-words.ts'
import { searchStore } from '../../src/resources/search/store.ts'
import { reindexWorker } from '../../src/workers/reindex.ts'
import { temporaryFolder } from '../support/process.ts'
import { eventually } from '../support/stored.ts'

/** Rules that keep أ apart from ا, and those that do not. */
const older: Reader = { version: 1, read: (text) => readWords(text.replaceAll('أ', 'ظ')) }
const newer: Reader = { version: 2, read: readWords }
const known = [older, newer]

/** A database with so many projects, read by the older rules unless others are said. */
function database(t: TestContext, names: number, rules: readonly Reader[] = [older]): string {
  const file = join(temporaryFolder(t), 'a.db')
  const db = openDatabase(file, undefined, rules)
  db.exec(`
    insert into companies (id, name, time_zone, plan, created_at, updated_at)
      values (1, 'A', 'UTC', 'pro', 0, 0);
    insert into users (id, company_id, name, email, email_key, role, created_at)
      values (1, 1, 'Sara', 's@x', 's@x', 'owner', 0)`)
  addProjects(db, 1, names)
  db.close()
  return file
}

function addProjects(db: Db, first: number, last: number): void {
  const add = db.prepare(`
    insert into projects (id, company_id, ref, slug, name, creator_id, created_at, updated_at)
    values (@id, 1, 'p' || @id, 's' || @id, 'أحمد ' || @id, 1, 0, 0)`)
  db.transaction(() => {
    for (let id = first; id <= last; id++) add.run({ id })
  })()
}

function open(t: TestContext, file: string, rules: readonly Reader[] = known): Db {
  const db = openDatabase(file, undefined, rules)
  t.after(() => db.close())
  return db
}

/** A worker on a database, and all that it says; `change` puts other parts into the place of the real ones. */
function workshop(
  t: TestContext,
  db: Db,
  change: { names?: Partial<NameRebuild>; commit?: (real: GroupCommit) => GroupCommit } = {},
) {
  const notes: string[] = []
  const faults: string[] = []
  const slices: string[] = []
  const names = { ...nameRebuild(db, known), ...change.names }
  const commit = groupCommit(db)
  const worker = reindexWorker({
    names: {
      ...names,
      goOn(atMost) {
        const progress = names.goOn(atMost)
        slices.push(progress.phase)
        return progress
      },
    },
    departed: departedNames(db, known),
    commit: change.commit?.(commit) ?? commit,
    note: (sentence) => notes.push(sentence),
    onFault: (error) => faults.push((error as Error).message),
  })
  t.after(() => worker.stop())
  const isOver = (): void => assert.equal(nameRebuild(db, known).isDue(), false)
  return { worker, commit, notes, faults, slices, isOver }
}

function found(db: Db, text: string, rules: readonly Reader[] = known): number {
  return searchStore(db, rules).find(1, text, ['project'], 25).hits.length
}

function rowsIn(db: Db): unknown {
  return db.prepare('select count(*) from names_docsize').pluck().get()
}

test('nothing is done, and nothing said, where nothing is due', async (t) => {
  const db = open(t, database(t, 5, known))
  const { worker, notes, slices } = workshop(t, db)
  const before = db.prepare('select total_changes()').pluck().get()
  worker.wake()
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  await worker.stop()
  assert.deepEqual([notes, slices], [[], []])
  assert.equal(db.prepare('select total_changes()').pluck().get(), before)
})

test('names are read in slices, and another write gets its turn between two', async (t) => {
  const db = open(t, database(t, 400))
  const { worker, commit, slices, isOver } = workshop(t, db)
  worker.wake()
  const turns: number[] = []
  for (let id = 1001; !slices.includes('clearing'); id++) {
    await commit.run(() => addProjects(db, id, id))
    turns.push(slices.length)
    assert.equal(found(db, 'أحمد'), 25)
    await new Promise(setImmediate)
  }
  assert.ok(new Set(turns).size > 4, `writes were done after ${[...new Set(turns)]} slices`)
  await eventually(isOver)
  assert.equal(rowsIn(db), 400 + turns.length)
  assert.equal(found(db, 'احمد 1001'), 1)
})

test('progress is told in growing percents, each once, and so is the end', async (t) => {
  const db = open(t, database(t, 1490))
  const { worker, notes, isOver } = workshop(t, db)
  worker.wake()
  await eventually(isOver)
  await worker.stop()
  const percents = notes.slice(0, -1).map((note) => Number(/ (\d+)% /.exec(note)?.[1]))
  assert.deepEqual(percents, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90])
  assert.match(notes.at(-1) as string, /every name has been read/)
})

test('a stop in the middle waits for the slice under way, and the next start goes on there', async (t) => {
  const db = open(t, database(t, 400))
  let letGo = (): void => {}
  const isHeld = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let runs = 0
  const first = workshop(t, db, {
    commit: (real) => ({
      ...real,
      async run(work, afterRollback) {
        if (++runs === 4) await isHeld
        return real.run(work, afterRollback)
      },
    }),
  })
  first.worker.wake()
  await eventually(() => assert.equal(runs, 4))
  let isStopped = false
  const stopping = first.worker.stop().then(() => {
    isStopped = true
  })
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  assert.deepEqual([isStopped, first.slices.length], [false, 2])
  letGo()
  await stopping
  assert.equal(first.slices.length, 3)
  first.worker.wake()
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(first.slices.length, 3, 'a stopped worker does not wake')
  const place = db.prepare("select through from name_indexes where state = 'building'").pluck()
  assert.equal(place.get(), 150)
  const second = workshop(t, db)
  second.worker.wake()
  await eventually(second.isOver)
  assert.equal(second.slices.filter((phase) => phase === 'reading').length, 5)
  assert.deepEqual([rowsIn(db), found(db, 'احمد 399')], [400, 1])
})

test('a fault of the database is told once, however often the worker is woken, and it goes on later', async (t) => {
  const db = open(t, database(t, 100))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let calls = 0
  let isFull = true
  const { worker, faults, isOver } = workshop(t, db, {
    commit: (real) => ({
      ...real,
      async run(work) {
        calls++
        if (isFull) throw new Error('disk full')
        return work()
      },
    }),
  })
  for (let turn = 0; turn < 50; turn++) {
    worker.wake()
    await new Promise(setImmediate)
    t.mock.timers.tick(100)
  }
  assert.deepEqual([faults, calls], [['disk full'], 1])
  isFull = false
  for (let turn = 0; turn < 20; turn++) {
    t.mock.timers.tick(60_000)
    await new Promise(setImmediate)
  }
  isOver()
  assert.deepEqual([faults, found(db, 'احمد 99')], [['disk full'], 1])
})

test('a database that cannot even say whether something is due is no crash, and is left alone', async (t) => {
  let asked = 0
  const { worker, faults } = workshop(t, open(t, database(t, 1)), {
    names: {
      isDue() {
        asked++
        throw new Error('disk gone')
      },
    },
  })
  for (let turn = 0; turn < 20; turn++) {
    worker.wake()
    await new Promise(setImmediate)
  }
  assert.deepEqual([faults, asked], [['disk gone'], 1])
})

test('however often it is woken during its work, one is at work', async (t) => {
  const db = open(t, database(t, 300))
  let resumed = 0
  const real = nameRebuild(db, known)
  const { worker, slices, isOver } = workshop(t, db, {
    names: {
      resume() {
        resumed++
        real.resume()
      },
    },
  })
  await eventually(() => {
    worker.wake()
    isOver()
  })
  assert.deepEqual([resumed, slices.filter((phase) => phase === 'reading').length], [1, 6])
})

test('a search answers though another process ends a rebuild while it is under way', (t) => {
  const file = database(t, 5)
  const other = open(t, file)
  const rebuild = nameRebuild(other, known)
  rebuild.resume()
  let isFirst = true
  const meanwhile: Reader = {
    version: 1,
    read(text) {
      if (isFirst) while (rebuild.goOn(50).phase !== 'done');
      isFirst = false
      return older.read(text)
    },
  }
  assert.equal(found(open(t, file), 'أحمد', [meanwhile, newer]), 5)
})

test('a check finds the index well though another process ends a rebuild meanwhile', (t) => {
  const file = database(t, 5, readers)
  const db = open(t, file, readers)
  const rebuild = nameRebuild(open(t, file, readers), readers)
  const prepare = db.prepare.bind(db) as (sql: string) => ReturnType<Db['prepare']>
  let isBegun = false
  db.prepare = ((sql: string) => {
    if (sql.includes('from projects') && !isBegun) {
      isBegun = true
      rebuild.begin()
      while (rebuild.goOn(50).phase !== 'done');
    }
    return prepare(sql)
  }) as Db['prepare']
  const { ok, detail } = checkNames(db)
  assert.ok(isBegun)
  assert.ok(ok, detail)
})

/** To refuse is a way not to mix. */
function orRefuse(work: () => void): void {
  try {
    work()
  } catch {}
}

test('two programs of different rules that build at once do not mix what they read', (t) => {
  const file = database(t, 8, readers)
  const ofOld = nameRebuild(open(t, file, readers), readers)
  const after = [...readers, { version: 2, read: older.read }]
  const db = open(t, file, after)
  const ofNew = nameRebuild(db, after)
  ofNew.begin()
  ofNew.goOn(2)
  ofOld.resume()
  for (let turn = 0; turn < 20; turn++) {
    orRefuse(() => ofNew.goOn(2))
    orRefuse(() => ofOld.goOn(2))
  }
  const serving = db.prepare("select rules from name_indexes where state = 'serving'").pluck()
  const answers = serving.get() === 1 ? checkNames(db).detail : found(db, 'أحمد', after)
  assert.ok(answers === 8 || answers === 'every name is found by it', String(answers))
})
