import { hash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { DataFolder } from '../db/data-folder.ts'
import type { Db } from '../db/database.ts'
import { serverSettings } from '../db/settings.ts'
import { type ByteLedger, byteLedger } from '../resources/files/bytes.ts'
import type { ScanState } from '../resources/files/store.ts'
import { storedNames, whyForeign } from '../storage/open.ts'
import { type Finding, listed } from './findings.ts'

/** A server that runs beside the check is at work on some: only what stays wrong for so long is. */
const LOOKS = 10
const PAUSE = 200

interface StoredUpload {
  ref: string
  storage_name: string
  size_bytes: number
  sha256: string
  scan_state: ScanState
}

export async function checkFiles(db: Db, folder: DataFolder): Promise<Finding[]> {
  const ledger = byteLedger(db)
  return [
    await wholeness(db, folder),
    await strays(ledger, folder),
    belonging(db, folder, ledger),
    listed(
      'scans',
      waitingText(db),
      ledger
        .pendingWithoutJob()
        .map(({ id }) => `file ${id} waits for a scan that nobody will make`),
    ),
  ]
}

async function wholeness(db: Db, folder: DataFolder): Promise<Finding> {
  const select = `
    select ref, storage_name, size_bytes, sha256, scan_state from files
    where storage_name is not null`
  const all = db.prepare<[], StoredUpload>(select)
  const one = db.prepare<[string], StoredUpload>(`${select} and ref = ?`)
  const isDamaged = (upload: StoredUpload): boolean => damageOf(upload, folder) !== null
  const damaged = await lasting(
    () => all.all().filter(isDamaged),
    (found) => found.flatMap(({ ref }) => one.get(ref) ?? []).filter(isDamaged),
  )
  return listed(
    'bytes of files',
    'every upload has its bytes, with the size and SHA-256 it was stored with',
    damaged.map((upload) => `${upload.ref} ${damageOf(upload, folder)}`),
  )
}

async function strays(ledger: ByteLedger, folder: DataFolder): Promise<Finding> {
  const found = await lasting(
    () => strayNames(ledger, folder),
    (names) => names.filter((name) => isStray(ledger, folder, name)),
  )
  return listed(
    'stored bytes',
    'nothing is stored that no file names',
    found.map((name) => `${name} (swept at the next start of the server)`),
  )
}

async function lasting<T>(find: () => T[], stillSo: (found: T[]) => T[]): Promise<T[]> {
  let found = find()
  for (let look = 0; look < LOOKS && found.length > 0; look++) {
    await setTimeout(PAUSE)
    found = stillSo(found)
  }
  return found
}

function belonging(db: Db, folder: DataFolder, ledger: ByteLedger): Finding {
  const stranger = existsSync(folder.files) ? whyForeign(folder, serverSettings(db), ledger) : null
  const detail = stranger ?? 'the files are those of this database'
  return { check: 'files and database', ok: stranger === null, detail }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function strayNames(ledger: ByteLedger, { files, quarantine }: DataFolder): string[] {
  const folders = [files, quarantine].filter((folder) => existsSync(folder))
  return folders.flatMap(storedNames).filter((name) => !ledger.isNamed(name))
}

function isStray(ledger: ByteLedger, folder: DataFolder, name: string): boolean {
  return !ledger.isNamed(name) && placesOf(folder, name).some((file) => existsSync(file))
}

function damageOf(upload: StoredUpload, folder: DataFolder): string | null {
  const found = placesOf(folder, upload.storage_name).find(isFile)
  if (found === undefined) return 'has no bytes'
  const isHeld = found.startsWith(folder.quarantine)
  if (isHeld && (upload.scan_state === 'clean' || upload.scan_state === 'skipped')) {
    return `lies in quarantine (let 'majlis file rescan ${upload.ref}' look at it again)`
  }
  if (upload.scan_state === 'infected' && !isHeld) {
    return 'is infected and not in quarantine'
  }
  const stored = read(found)
  if (stored === null) return 'has bytes that cannot be read'
  if (stored.length !== upload.size_bytes) {
    return `has ${stored.length} bytes instead of ${upload.size_bytes}`
  }
  return hash('sha256', stored, 'hex') === upload.sha256 ? null : 'has other bytes than were stored'
}

function placesOf({ files, quarantine }: DataFolder, name: string): string[] {
  return [join(files, name), join(quarantine, name)]
}

function read(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

function waitingText(db: Db): string {
  const count = Number(
    db.prepare(`select count(*) from files where scan_state = 'pending'`).pluck().get(),
  )
  if (count === 0) return 'no upload waits for a scan'
  const reason = db
    .prepare<[], string>(`
      select last_error from jobs where kind = 'scan' and last_error is not null
      order by id desc limit 1`)
    .pluck()
    .get()
  const failure = reason === undefined ? '' : `; the last try failed: ${reason}`
  return `${count} ${count === 1 ? 'upload waits' : 'uploads wait'} for a scan${failure}`
}
