import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Api, Download } from './client.ts'
import { eventually, storedIn } from './stored.ts'

/** What must be found after a crash; `open`: asked for and not answered, so that either is right. */
export type Fate = 'kept' | 'gone' | 'open'

export interface SentFolder {
  readonly id: number
  fate: Fate
}

export interface SentFile {
  readonly name: string
  readonly bytes: Buffer
  readonly isInfected: boolean
  readonly folder: SentFolder | null
  ref: string | null
  fate: Fate
}

/** What clients were told of their files and folders. Names are never used twice. */
export interface Sent {
  readonly files: Map<string, SentFile>
  readonly folders: SentFolder[]
}

interface Row {
  ref: string
  name: string
  folder_id: number | null
  storage_name: string
  scan_state: string
}

interface Found {
  rows: Row[]
  folderIds: Set<number>
  discarded: Set<string>
}

export function kept<T extends { fate: Fate }>(all: Iterable<T>): T[] {
  return [...all].filter(({ fate }) => fate === 'kept')
}

/** What the folder of a server that has just started must look like. What was open is decided by it, for good. */
export async function assertKept(data: string, project: string, api: Api, sent: Sent) {
  assertNoStrays(data)
  decide(sent, look(data))
  await eventually(() => assertSettled(data))
  const rows = new Map(look(data).rows.map((row) => [row.name, row]))
  const assertEach = async (file: SentFile): Promise<void> => {
    const download = await api.download(`/projects/${project}/files/${file.ref}/download`)
    assertWhole(data, file, rows.get(file.name) as Row, download)
  }
  await Promise.all(kept(sent.files.values()).map(assertEach))
}

/** The names of all stored bytes. A file that is moved meanwhile is seen once at least. */
export function storedNames(data: string): string[] {
  const files = storedIn({ folder: data }, 'files')
  return [...new Set([...files, ...storedIn({ folder: data }, 'quarantine')])].sort()
}

/** At once, without waiting for any worker: every row has its bytes, and all bytes have a row or are promised to go. */
function assertNoStrays(data: string): void {
  const { rows, discarded } = look(data)
  const stored = storedNames(data)
  const named = new Set(rows.map((row) => row.storage_name))
  const without = [...named].filter((name) => !stored.includes(name))
  assert.deepEqual(without, [], 'rows without their bytes')
  const strays = stored.filter((name) => !named.has(name) && !discarded.has(name))
  assert.deepEqual(strays, [], 'bytes without a row')
}

function decide({ files, folders }: Sent, { rows, folderIds }: Found): void {
  for (const folder of folders) settle(`folder ${folder.id}`, folder, folderIds.has(folder.id))
  const unseen = new Map(rows.map((row) => [row.name, row]))
  for (const file of files.values()) {
    const row = unseen.get(file.name)
    unseen.delete(file.name)
    settle(file.name, file, row !== undefined)
    if (row === undefined) continue
    file.ref ??= row.ref
    assert.equal(row.ref, file.ref)
    assert.equal(row.folder_id, file.folder?.id ?? null)
  }
  assert.deepEqual([...unseen.keys()], [], 'files that nobody sent')
}

function settle(name: string, thing: { fate: Fate }, isThere: boolean): void {
  const found = isThere ? 'kept' : 'gone'
  if (thing.fate === 'open') thing.fate = found
  assert.equal(`${name} is ${found}`, `${name} is ${thing.fate}`)
}

function assertSettled(data: string): void {
  const { rows, discarded } = look(data)
  assert.deepEqual(
    rows.filter((row) => row.scan_state === 'pending'),
    [],
  )
  assert.equal(discarded.size, 0)
  assert.deepEqual(storedNames(data), rows.map((row) => row.storage_name).sort())
}

function assertWhole(data: string, file: SentFile, row: Row, { status, bytes }: Download): void {
  if (!file.isInfected) {
    assert.equal(status, 200, file.name)
    assert.ok(bytes.equals(file.bytes), `${file.name} has other bytes than were sent`)
    return
  }
  assert.equal(`${status} ${row.scan_state}`, '403 infected', file.name)
  const isolated = readFileSync(join(data, 'quarantine', row.storage_name))
  assert.ok(isolated.equals(file.bytes), `${file.name} has other bytes than were sent`)
}

function look(data: string): Found {
  const db = new Database(join(data, 'majlis.db'), { readonly: true })
  const see = db.transaction(() => ({
    rows: db
      .prepare<[], Row>('select ref, name, folder_id, storage_name, scan_state from files')
      .all(),
    folderIds: new Set(db.prepare<[], number>('select id from folders').pluck().all()),
    discarded: new Set(
      db.prepare<[], string>('select storage_name from discarded_bytes').pluck().all(),
    ),
  }))
  try {
    return see()
  } finally {
    db.close()
  }
}
