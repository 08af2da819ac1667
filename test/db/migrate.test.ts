import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations/index.ts'
import { openDatabase } from '../../src/db/open.ts'
import { Failure } from '../../src/domain/failure.ts'
import { temporaryFolder } from '../support/process.ts'

const schema = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8')

function shapeOf(db: Database.Database): unknown[] {
  return db.prepare('select type, name, sql from sqlite_schema order by name').all()
}

test('a fresh database is exactly schema.sql, at the newest version', (t) => {
  const db = openDatabase(join(temporaryFolder(t), 'a.db'))
  const plain = new Database(':memory:')
  plain.exec(schema)
  assert.deepEqual(shapeOf(db), shapeOf(plain))
  assert.equal(db.pragma('user_version', { simple: true }), migrations.length + 1)
  db.close()
})

test('every table of the schema is STRICT', () => {
  const db = new Database(':memory:')
  db.exec(schema)
  const tables = db.pragma('table_list') as { name: string; type: string; strict: number }[]
  const loose = tables.filter(
    ({ name, type, strict }) => type === 'table' && !name.startsWith('sqlite_') && !strict,
  )
  assert.deepEqual(loose, [])
})

test('every open sets what SQLite forgets: WAL, synchronous=FULL, foreign keys', (t) => {
  const file = join(temporaryFolder(t), 'a.db')
  openDatabase(file).close()
  const db = openDatabase(file)
  const read = (name: string) => db.pragma(name, { simple: true })
  assert.deepEqual(
    [read('journal_mode'), read('synchronous'), read('foreign_keys'), read('trusted_schema')],
    ['wal', 2, 1, 0],
  )
  db.close()
})

test('the SQLite inside is new enough not to corrupt a reset WAL', () => {
  const version = new Database(':memory:')
    .prepare<[], string>('select sqlite_version()')
    .pluck()
    .get()
  const [major = 0, minor = 0, patch = 0] = (version ?? '').split('.').map(Number)
  assert.ok(major * 1e6 + minor * 1e3 + patch >= 3_051_003, version)
})

test('migrations run forward in order, each once, and a failing one leaves its version as it was', () => {
  const db = new Database(':memory:')
  migrate(db, 'create table a (x integer) strict', [])
  const steps = [
    () => db.exec('alter table a add column y integer'),
    () => {
      db.exec('create table half (x integer) strict')
      throw new Error('no')
    },
  ]
  assert.throws(() => migrate(db, schema, steps), /no/)
  assert.equal(db.pragma('user_version', { simple: true }), 2)
  assert.equal(
    db.prepare("select count(*) from sqlite_schema where name = 'half'").pluck().get(),
    0,
  )
  steps[1] = () => db.exec('create table whole (x integer) strict')
  migrate(db, schema, steps)
  migrate(db, schema, steps)
  assert.equal(db.pragma('user_version', { simple: true }), 3)
})

test('a database of a newer Majlis is refused with a sentence, and left as it was', (t) => {
  const file = join(temporaryFolder(t), 'a.db')
  const db = openDatabase(file)
  db.pragma('user_version = 999')
  db.close()
  const before = readFileSync(file)
  assert.throws(
    () => openDatabase(file),
    (error: Error) => {
      assert.ok(error instanceof Failure)
      assert.match(error.message, /newer Majlis.*version 999/)
      return true
    },
  )
  assert.deepEqual(readFileSync(file), before)
})

test("another program's database is refused, and left as it was", (t) => {
  const file = join(temporaryFolder(t), 'a.db')
  const other = new Database(file)
  other.exec('create table theirs (x)')
  other.close()
  assert.throws(() => openDatabase(file), /not one of Majlis/)
  const again = new Database(file, { readonly: true })
  assert.equal(again.prepare('select count(*) from sqlite_schema').pluck().get(), 1)
  again.close()
})

test('a file that is no database is refused as damaged', (t) => {
  const file = join(temporaryFolder(t), 'a.db')
  writeFileSync(file, 'this is no database, and long enough to be looked at as one. '.repeat(40))
  assert.throws(() => openDatabase(file), /damaged or is no database/)
})

test('a database that cannot be opened is refused with the fix', (t) => {
  const file = join(temporaryFolder(t), 'a.db')
  mkdirSync(file)
  assert.throws(() => openDatabase(file), /cannot be opened for writing.*--data/)
})

test('a step that builds a table anew keeps the children of its rows, and one that loses them is undone', () => {
  const db = new Database(':memory:')
  db.pragma('foreign_keys = on')
  const first = `
    create table parents (id integer primary key, kind text check (kind in ('a'))) strict;
    create table children (parent_id integer references parents (id) on delete cascade) strict`
  migrate(db, first, [])
  db.exec("insert into parents values (1, 'a'); insert into children values (1)")
  const rebuild = (keep: string) => () =>
    db.exec(`
      create table anew (id integer primary key, kind text check (kind in ('a', 'b'))) strict;
      insert into anew select id, kind from parents ${keep};
      drop table parents;
      alter table anew rename to parents`)
  assert.throws(() => migrate(db, first, [rebuild('where false')]), /lost references/)
  assert.equal(db.pragma('user_version', { simple: true }), 1)
  migrate(db, first, [rebuild('')])
  assert.equal(db.prepare('select count(*) from children').pluck().get(), 1)
  assert.equal(db.pragma('foreign_keys', { simple: true }), 1)
})
