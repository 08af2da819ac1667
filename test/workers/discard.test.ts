import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { discardWorker } from '../../src/workers/discard.ts'
import { eventually } from '../support/stored.ts'

function workshop(t: TestContext, { names = [] as string[], pause = 1e9 } = {}) {
  const rows = new Set(names)
  const onDisk = new Set(names)
  const broken = new Set<string>()
  const faults: string[] = []
  let isFull = false
  const worker = discardWorker({
    bytes: {
      discarded: (limit) => [...rows].slice(0, limit),
      forgetDiscarded: (name) => rows.delete(name),
    },
    vault: {
      async remove(name) {
        if (broken.has(name)) throw new Error(`EIO ${name}`)
        onDisk.delete(name)
      },
    },
    commit: {
      async run(work) {
        if (isFull) throw new Error('disk full')
        return work()
      },
      flush() {},
    },
    onFault: (error) => faults.push((error as Error).message),
    pause,
  })
  t.after(() => worker.stop())
  return {
    worker,
    rows,
    onDisk,
    broken,
    faults,
    fill(full: boolean) {
      isFull = full
    },
    add(name: string) {
      rows.add(name)
      onDisk.add(name)
      worker.wake()
    },
  }
}

test('everything that was left behind is removed, however much it is', async (t) => {
  const names = Array.from({ length: 250 }, (_, i) => String(i))
  const { worker, rows, onDisk } = workshop(t, { names })
  worker.wake()
  await eventually(() => assert.equal(rows.size, 0))
  assert.equal(onDisk.size, 0)
})

test('one that cannot be removed keeps no other waiting, and is told once, not at every wake', async (t) => {
  const { worker, rows, onDisk, broken, faults, add } = workshop(t, { names: ['a', 'bad', 'c'] })
  broken.add('bad')
  worker.wake()
  await eventually(() => assert.deepEqual([...rows], ['bad']))
  for (let i = 0; i < 50; i++) worker.wake()
  add('d')
  await eventually(() => assert.deepEqual([...rows], ['bad']))
  assert.deepEqual([...onDisk], ['bad'])
  assert.deepEqual(faults, ['EIO bad'])
})

test('it is tried again after the pause', async (t) => {
  const { worker, rows, broken } = workshop(t, { names: ['bad'], pause: 20 })
  broken.add('bad')
  worker.wake()
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(rows.size, 1)
  broken.clear()
  await eventually(() => assert.equal(rows.size, 0))
})

test('a database that takes nothing is asked again after the pause only', async (t) => {
  const { worker, rows, faults, fill } = workshop(t, { names: ['a'], pause: 30 })
  fill(true)
  worker.wake()
  for (let i = 0; i < 20; i++) {
    await new Promise(setImmediate)
    worker.wake()
  }
  assert.deepEqual(faults, ['disk full'])
  fill(false)
  await eventually(() => assert.equal(rows.size, 0))
})
