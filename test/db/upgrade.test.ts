import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { dataFolder, lockFolder } from '../../src/db/data-folder.ts'
import { migrations } from '../../src/db/migrations/index.ts'
import { openDatabase } from '../../src/db/open.ts'
import { client } from '../support/client.ts'
import { majlis, serve, temporaryFolder } from '../support/process.ts'
import { versionOne } from '../support/version-one.ts'

function shapeOf(db: Database.Database): unknown[] {
  return db
    .prepare<[], { type: string; name: string; sql: string | null }>(
      'select type, name, sql from sqlite_schema order by name',
    )
    .all()
    .map(({ type, name, sql }) => ({ type, name, sql: sql?.replace(/\s+/g, ' ') }))
}

test('a database of version 1 becomes exactly what a fresh one is, and keeps its rows', (t) => {
  const old = openDatabase(versionOne(temporaryFolder(t)))
  const fresh = openDatabase(join(temporaryFolder(t), 'a.db'))
  assert.deepEqual(shapeOf(old), shapeOf(fresh))
  assert.equal(old.pragma('user_version', { simple: true }), migrations.length + 1)
  assert.equal(old.prepare('select name from projects').pluck().get(), 'Plan')
  old.close()
  fresh.close()
})

test('a server takes over a folder of version 1, and its projects take lists and tasks', async (t) => {
  const data = temporaryFolder(t)
  versionOne(data)
  const words = [
    '--company',
    '1',
    '--creator',
    'sara@x.example',
    '--name',
    'K',
    '--preset',
    'write',
  ]
  const { json } = await majlis(['key', 'create', ...words, '--data', data, '--json'])
  const { baseUrl } = await serve(t, data)
  const api = client(baseUrl, json.key)
  const list = (await api.post('/projects/plan/lists', { title: 'L' })).data
  assert.equal((await api.post(`/lists/${list.id}/tasks`, { title: 'T' })).status, 201)
  assert.equal((await majlis(['check', '--data', data, '--json'])).json.ok, true)
})

test('a command does not change the schema below a running server: it says so, and changes nothing', async (t) => {
  const data = temporaryFolder(t)
  const file = versionOne(data)
  const lock = lockFolder(dataFolder(data))
  const refused = await majlis(['company', 'list', '--data', data])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /server/)
  const db = new Database(file, { readonly: true })
  assert.equal(db.pragma('user_version', { simple: true }), 1)
  db.close()
  lock.release()
  const { code, json } = await majlis(['company', 'list', '--data', data, '--json'])
  assert.deepEqual([code, json[0].name], [0, 'Acme'])
})
