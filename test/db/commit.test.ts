import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { groupCommit } from '../../src/db/commit.ts'
import { temporaryFolder } from '../support/process.ts'

function open(file = ':memory:') {
  const db = new Database(file)
  db.exec('create table t (x integer unique) strict')
  const insert = db.prepare<[number]>('insert into t values (?)')
  const all = () => db.prepare<[], number>('select x from t order by x').pluck().all()
  return { db, commit: groupCommit(db), add: (x: number) => insert.run(x), all }
}

test('writes of one turn share one transaction and are answered after its commit', async () => {
  const { db, commit, add } = open()
  const seen: boolean[] = []
  const writes = [1, 2, 3].map((x) =>
    commit.run(() => {
      seen.push(db.inTransaction)
      add(x)
      return x
    }),
  )
  const total = db.prepare('select total_changes() as n').get()
  assert.deepEqual(total, { n: 0 }, 'nothing runs before the turn ends')
  const answers = await Promise.all(writes.map((write) => write.then((x) => [x, db.inTransaction])))
  assert.deepEqual(seen, [true, true, true])
  assert.deepEqual(answers, [
    [1, false],
    [2, false],
    [3, false],
  ])
})

test('a failing write rolls back alone, and the others of its turn are kept', async () => {
  const { commit, add, all } = open()
  const outcomes = await Promise.allSettled([
    commit.run(() => add(1)),
    commit.run(() => {
      add(2)
      throw new Error('refused')
    }),
    commit.run(() => add(3)),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(all(), [1, 3])
})

test('what is written after a rollback is kept', async () => {
  const { commit, add, all } = open()
  await assert.rejects(
    commit.run(
      () => {
        add(1)
        throw new Error('refused')
      },
      () => add(100),
    ),
  )
  assert.deepEqual(all(), [100])
})

test('a write that loses a race for a unique value fails alone', async () => {
  const { commit, add, all } = open()
  const outcomes = await Promise.allSettled([commit.run(() => add(7)), commit.run(() => add(7))])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
  assert.deepEqual(all(), [7])
})

test('when the disk is full nobody of the turn is told that a write was kept', async (t) => {
  const { db, commit, all } = open(join(temporaryFolder(t), 'a.db'))
  db.exec('create table blobs (b blob) strict')
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 2}`)
  const fill = db.prepare('insert into blobs values (zeroblob(100000))')
  const outcomes = await Promise.allSettled([
    commit.run(() => db.prepare('insert into t values (1)').run()),
    commit.run(() => fill.run()),
  ])
  const kept = all().length
  const told = outcomes.filter(({ status }) => status === 'fulfilled').length
  assert.equal(outcomes[1]?.status, 'rejected')
  assert.equal(told, kept, 'what was answered is what is there')
  assert.equal(db.inTransaction, false)
})

test('when what was to be kept of a refusal fails, it fails alone', async () => {
  const { commit, add, all } = open()
  const outcomes = await Promise.allSettled([
    commit.run(() => add(1)),
    commit.run(
      () => {
        throw new Error('refused')
      },
      () => {
        add(2)
        throw new Error('and not kept')
      },
    ),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
  assert.match(String((outcomes[1] as PromiseRejectedResult).reason), /and not kept/)
  assert.deepEqual(all(), [1])
})
