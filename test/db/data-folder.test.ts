import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { dataFolder, lockFolder, prepareFolder, requireDatabase } from '../../src/db/data-folder.ts'
import { Failure } from '../../src/domain/failure.ts'
import { temporaryFolder } from '../support/process.ts'

test('one server a folder: a second lock is refused until the first is released', (t) => {
  const folder = dataFolder(temporaryFolder(t))
  const first = lockFolder(folder)
  assert.throws(
    () => lockFolder(folder),
    (error: Error) => {
      assert.ok(error instanceof Failure)
      assert.match(error.message, /Another Majlis server is running/)
      return true
    },
  )
  first.release()
  lockFolder(folder).release()
})

test('a file in the place of the data folder is named in the sentence', (t) => {
  const file = join(temporaryFolder(t), 'data')
  writeFileSync(file, '')
  assert.throws(() => prepareFolder(dataFolder(file)), /cannot be written to.*--data/)
})

test('a folder without a database is not taken for an empty one', (t) => {
  assert.throws(() => requireDatabase(dataFolder(temporaryFolder(t))), /There is no Majlis data/)
})
