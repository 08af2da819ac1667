import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkDatabase } from '../../src/admin/check-database.ts'
import type { Db } from '../../src/db/database.ts'
import { openInMemory } from '../../src/db/open.ts'
import { taskOrder } from '../../src/resources/tasks/order.ts'

/** A list alone, with nothing of a task but its place. */
function emptyList(): Db {
  const db = openInMemory()
  db.exec(`
    insert into companies (id, name, time_zone, plan, created_at, updated_at)
      values (1, 'C', 'UTC', 'advanced', 0, 0);
    insert into users (id, company_id, name, email, email_key, role, created_at)
      values (1, 1, 'U', 'u@x', 'u@x', 'owner', 0);
    insert into projects (id, company_id, ref, slug, name, creator_id, created_at, updated_at)
      values (1, 1, 'prj-1', 'p', 'P', 1, 0, 0);
    insert into task_lists
      (id, company_id, project_id, ref, slug, title, creator_id, created_at, updated_at)
      values (1, 1, 1, 'lst-1', 'l', 'L', 1, 0, 0);`)
  return db
}

function listOf(db: Db, spacing: { gap: number; blockSize: number }) {
  const order = taskOrder(db, spacing)
  const insert = db.prepare<{ id: number; position: number }>(`
    insert into tasks
      (id, company_id, list_id, ref, slug, title, position, creator_id, created_at, updated_at)
    values (@id, 1, 1, 'tsk-' || @id, 't', 'T', @position, 1, 0, 0)`)
  const setPosition = db.prepare<[number, number]>('update tasks set position = ? where id = ?')
  const positionOf = db.prepare<[number], number>('select position from tasks where id = ?').pluck()
  const remove = db.prepare<[number]>('delete from tasks where id = ?')
  const ids = db
    .prepare<[], number>('select id from tasks where list_id = 1 order by position, id')
    .pluck()
  const blocks = db.prepare<[], number>('select count(*) from task_blocks').pluck()
  const largest = db.prepare<[], number>('select max(tasks_count) from task_blocks').pluck()
  return {
    order,
    append: (id: number) => insert.run({ id, position: order.append(1) }),
    move(id: number, place: number) {
      order.leave(1, positionOf.get(id) as number)
      setPosition.run(order.insertAt(1, place, id), id)
    },
    moveLast(id: number) {
      order.leave(1, positionOf.get(id) as number)
      setPosition.run(order.append(1, id), id)
    },
    remove(id: number) {
      order.leave(1, positionOf.get(id) as number)
      remove.run(id)
    },
    ids: () => ids.all(),
    positionOf: (id: number) => positionOf.get(id),
    blocks: () => blocks.get() as number,
    largestBlock: () => largest.get() ?? 0,
  }
}

function assertBlocksAgree(db: Db): void {
  db.exec('update task_lists set tasks_count = (select count(*) from tasks where list_id = 1)')
  const found = checkDatabase(db).find(({ check }) => check === 'order of tasks')
  assert.equal(found?.ok, true, found?.detail)
}

type Step =
  | { kind: 'append' }
  | { kind: 'move' | 'moveLast' | 'remove'; which: number; place: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Step>({ kind: 'append' }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom<'move' | 'moveLast' | 'remove'>('move', 'move', 'moveLast', 'remove'),
        which: fc.nat(60),
        place: fc.oneof(fc.constantFrom(1, 2), fc.integer({ min: 1, max: 70 })),
      }),
    },
  ),
  { maxLength: 120 },
)

test('after any appends, moves and removals the order and every place are those of a plain array', () => {
  fc.assert(
    fc.property(
      steps,
      fc.nat(40),
      fc.constantFrom(4, 16, 1024),
      fc.constantFrom(2, 3, 5, 8),
      (taken, filled, gap, blockSize) => {
        const db = emptyList()
        const list = listOf(db, { gap, blockSize })
        let model: number[] = []
        let last = 0
        while (last < filled) {
          list.append(++last)
          model.push(last)
        }
        for (const step of taken) {
          if (step.kind === 'append') {
            list.append(++last)
            model.push(last)
          } else if (model.length > 0) {
            const id = model[step.which % model.length] as number
            model = model.filter((each) => each !== id)
            if (step.kind === 'remove') list.remove(id)
            else if (step.kind === 'moveLast') list.moveLast(id)
            else list.move(id, step.place)
            if (step.kind === 'moveLast') model.push(id)
            else if (step.kind === 'move') model.splice(step.place - 1, 0, id)
          }
          assert.deepEqual(list.ids(), model)
          assert.ok(list.largestBlock() <= blockSize, `a block of ${list.largestBlock()}`)
        }
        for (const [place, id] of model.entries()) {
          assert.equal(list.order.positionAt(1, place), list.positionOf(id))
        }
        assert.equal(list.order.positionAt(1, model.length), undefined)
        assertBlocksAgree(db)
        db.close()
      },
    ),
    { numRuns: 300 },
  )
})

test('a task that goes to the same crowded place a thousand times always finds room', () => {
  const db = emptyList()
  const list = listOf(db, { gap: 64, blockSize: 8 })
  for (let id = 1; id <= 100; id++) list.append(id)
  for (let round = 0; round < 1000; round++) list.move((round % 98) + 3, 2)
  assert.equal(new Set(list.ids().map(list.positionOf)).size, 100, 'no two stand at one position')
  assertBlocksAgree(db)
  db.close()
})

test('making room touches a neighbourhood, not the whole list', () => {
  const db = emptyList()
  const list = listOf(db, { gap: 1024, blockSize: 16 })
  const changes = db.prepare<[], number>('select total_changes()').pluck()
  for (let id = 1; id <= 3000; id++) list.append(id)
  let most = 0
  let sum = 0
  for (let round = 0; round < 500; round++) {
    const before = changes.get() as number
    list.move(2000 + round, 1000)
    const touched = (changes.get() as number) - before
    most = Math.max(most, touched)
    sum += touched
  }
  assert.ok(most < 600, `${most} rows were touched by one move`)
  assert.ok(sum / 500 < 30, `${sum / 500} rows a move`)
  assertBlocksAgree(db)
  db.close()
})

test('a list that is worked off from the front keeps no blocks of what is gone', () => {
  const db = emptyList()
  const list = listOf(db, { gap: 64, blockSize: 8 })
  for (let id = 1; id <= 400; id++) {
    list.append(id)
    if (id > 20) list.remove(id - 20)
  }
  assert.equal(list.ids().length, 20)
  assert.ok(list.blocks() <= 8, `${list.blocks()} blocks for 20 tasks`)
  assertBlocksAgree(db)
  for (const id of list.ids()) list.remove(id)
  assert.ok(list.blocks() <= 2, 'and almost none once it is empty')
  list.append(500)
  assert.deepEqual(list.ids(), [500])
  assertBlocksAgree(db)
  db.close()
})
