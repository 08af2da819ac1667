import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { groupCommit } from '../../src/db/commit.ts'
import { type Job, jobQueue } from '../../src/db/jobs.ts'
import { openInMemory } from '../../src/db/open.ts'
import { queueRunner } from '../../src/workers/runner.ts'
import { eventually } from '../support/stored.ts'

type Work = (subject: string) => Promise<void>

function workshop(t: TestContext, work: Work) {
  const db = openInMemory()
  db.exec(`
    insert into companies (id, name, time_zone, plan, created_at, updated_at)
      values (1, 'C', 'UTC', 'advanced', 0, 0)`)
  const queue = jobQueue(db, 'scan')
  let time = 1_000_000
  const faults: unknown[] = []
  const commit = groupCommit(db)
  const runner = queueRunner<Job>({
    queue,
    commit,
    atMost: 2,
    pauses: { first: 1_000, longest: 60_000 },
    isHopeless: (_, error) => (error as Error).message === 'hopeless',
    async run(job) {
      await work(job.subject)
      await commit.run(() => queue.finish(job))
    },
    now: () => time,
    onFault: (error) => faults.push(error),
  })
  t.after(() => {
    runner.stop()
    db.close()
  })
  return {
    queue,
    runner,
    faults,
    rows: () =>
      db
        .prepare<[], { subject: string; attempts: number; run_at: number; last_error: string }>(
          'select subject, attempts, run_at, last_error from jobs order by id',
        )
        .all(),
    add: (...subjects: string[]) => {
      for (const subject of subjects) queue.add(1, subject, time)
      runner.wake()
    },
    now: () => time,
    advance(milliseconds: number) {
      time += milliseconds
      runner.wake()
    },
    advanceSilently(milliseconds: number) {
      time += milliseconds
    },
    refuseWrites(refuse: boolean) {
      db.pragma(`query_only = ${refuse ? 'on' : 'off'}`)
    },
  }
}

test('at most two jobs are under way at a time, in the order they came, and each is done once', async (t) => {
  const begun: string[] = []
  const release: (() => void)[] = []
  const { add, runner, rows } = workshop(t, (subject) => {
    begun.push(subject)
    return new Promise((resolve) => release.push(resolve))
  })
  add('1', '2', '3', '4')
  runner.wake()
  await eventually(() => assert.deepEqual(begun, ['1', '2']))
  release.shift()?.()
  await eventually(() => assert.deepEqual(begun, ['1', '2', '3']))
  while (begun.length < 4 || release.length > 0) {
    release.shift()?.()
    await new Promise(setImmediate)
  }
  await eventually(() => assert.deepEqual(rows(), []))
  assert.deepEqual(begun, ['1', '2', '3', '4'])
})

test('a job that fails is tried again after pauses that grow from a second to a minute', async (t) => {
  let tries = 0
  const { add, rows, now, advance } = workshop(t, async () => {
    tries++
    throw new Error(`down ${tries}`)
  })
  add('1')
  for (const [index, pause] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
    await eventually(() => assert.equal(rows()[0]?.attempts, index + 1))
    const [row] = rows()
    assert.equal(row?.run_at, now() + pause * 1000)
    assert.equal(row?.last_error, `down ${index + 1}`)
    advance(pause * 1000 - 1)
    await new Promise(setImmediate)
    assert.equal(tries, index + 1, 'not before its time')
    advance(1)
  }
})

test('one that fails does not keep the others waiting', async (t) => {
  const done: string[] = []
  const { add, rows } = workshop(t, async (subject) => {
    if (subject === 'bad') throw new Error('down')
    done.push(subject)
  })
  add('bad', '1', '2', '3')
  await eventually(() => assert.deepEqual(done, ['1', '2', '3']))
  await eventually(() =>
    assert.deepEqual(
      rows().map(({ subject }) => subject),
      ['bad'],
    ),
  )
})

test('a job that is asked for again is due at once, and there is still one of it', async (t) => {
  const { add, rows, queue, runner, now } = workshop(t, async () => {
    throw new Error('down')
  })
  add('1')
  await eventually(() => assert.equal(rows()[0]?.attempts, 1))
  runner.stop()
  queue.add(1, '1', now())
  assert.equal(rows().length, 1)
  assert.deepEqual([rows()[0]?.run_at, rows()[0]?.attempts], [now(), 0])
})

test('a job that is asked for while it is under way is done once more', async (t) => {
  const release: (() => void)[] = []
  const { add, rows } = workshop(t, () => new Promise((resolve) => release.push(resolve)))
  add('1')
  await eventually(() => assert.equal(release.length, 1))
  add('1')
  release[0]?.()
  await eventually(() => assert.equal(release.length, 2))
  release[1]?.()
  await eventually(() => assert.deepEqual(rows(), []))
})

test('a hopeless job is given up, with its reason, until it is asked for again', async (t) => {
  let tries = 0
  const { add, rows, advance } = workshop(t, async () => {
    tries++
    throw new Error('hopeless')
  })
  add('1')
  await eventually(() => assert.equal(rows()[0]?.last_error, 'hopeless'))
  advance(1e9)
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(tries, 1)
  add('1')
  await eventually(() => assert.equal(tries, 2))
})

test('what becomes due while nobody calls is found by itself', async (t) => {
  let tries = 0
  const { add, rows, advanceSilently } = workshop(t, async () => {
    tries++
    if (tries === 1) throw new Error('down')
  })
  add('1')
  await eventually(() => assert.equal(rows()[0]?.attempts, 1))
  advanceSilently(1_000)
  await eventually(() => assert.equal(tries, 2))
})

test('a timer that fires a hair too early strands nothing', async () => {
  let clock = 999
  let tries = 0
  const task = { id: 1, attempts: 0 }
  let runAt: number | null = 1_000
  const runner = queueRunner({
    queue: {
      due: (now) => (runAt !== null && runAt <= now ? [task] : []),
      nextAt: (now) => (runAt !== null && runAt > now ? runAt : null),
      claim() {},
      postpone() {},
      giveUp() {},
    },
    commit: { run: async (work) => work(), flush() {} },
    atMost: 1,
    pauses: { first: 1, longest: 1 },
    async run() {
      tries++
      runAt = null
    },
    // It becomes due between any two looks at the clock.
    now: () => clock++,
    onFault: (error) => assert.fail(String(error)),
  })
  runner.wake()
  await eventually(() => assert.equal(tries, 1), 2_000)
  await runner.stop()
})

test('a stop waits for what is under way', async (t) => {
  let finish = (): void => {}
  const { add, runner, rows } = workshop(t, () => new Promise((resolve) => (finish = resolve)))
  add('1')
  await new Promise((resolve) => setTimeout(resolve, 10))
  const stopped = runner.stop()
  finish()
  await stopped
  assert.deepEqual(rows(), [])
})

test('a disk that takes nothing slows the queue down, and does not turn it into a race', async (t) => {
  let tries = 0
  const { add, refuseWrites, faults } = workshop(t, async () => {
    tries++
  })
  add('1')
  await eventually(() => assert.equal(tries, 1))
  add('2')
  refuseWrites(true)
  await eventually(() => assert.equal(faults.length, 1))
  for (let i = 0; i < 50; i++) await new Promise(setImmediate)
  assert.equal(faults.length, 1)
  refuseWrites(false)
  await eventually(() => assert.equal(tries, 2))
})

test('a stopped runner begins nothing, and forgets what was under way', async (t) => {
  let finish = (): void => {}
  const begun: string[] = []
  const { add, runner, rows, faults } = workshop(t, (subject) => {
    begun.push(subject)
    return new Promise((_, reject) => {
      finish = () => reject(new Error('late'))
    })
  })
  add('1')
  await eventually(() => assert.deepEqual(begun, ['1']))
  runner.stop()
  add('2')
  finish()
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(
    rows().map(({ subject, attempts }) => [subject, attempts]),
    [
      ['1', 0],
      ['2', 0],
    ],
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(begun, ['1'])
})
