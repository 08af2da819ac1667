import type { Db } from '../../db/database.ts'
import { jobQueue } from '../../db/jobs.ts'
import type { ScanState } from './store.ts'

/** What a scan needs to know of an upload that waits for one. */
export interface PendingUpload {
  id: number
  ref: string
  storage_name: string
  sha256: string
}

/** A file of whatever company, also one in a deleted project. */
export interface AnyFile {
  id: number
  company_id: number
  name: string
  storage_name: string | null
}

export type ByteLedger = ReturnType<typeof byteLedger>

/** What the database knows of the bytes of uploads: where they lie, whether they are clean, which are to go. */
export function byteLedger(db: Db) {
  const scans = jobQueue(db, 'scan')
  const pending = db.prepare<[number], PendingUpload>(`
    select id, ref, storage_name, sha256 from files where id = ? and scan_state = 'pending'`)
  const unpromised = db.prepare<[], { id: number; company_id: number }>(`
    select id, company_id from files f where scan_state = 'pending' and not exists
      (select 1 from jobs where kind = 'scan' and subject = cast(f.id as text))`)
  const settle = db.prepare<[ScanState, number]>('update files set scan_state = ? where id = ?')
  const anywhere = db.prepare<[string], AnyFile>(
    'select id, company_id, name, storage_name from files where ref = ?',
  )
  const named = db.prepare<[string]>('select 1 from files where storage_name = ?')
  const lastWrite = db
    .prepare<[], number>(
      'select at from audit_entries where id = (select max(id) from audit_entries)',
    )
    .pluck()
  const infected = db
    .prepare<[], string>(`select storage_name from files where scan_state = 'infected'`)
    .pluck()
  const discarded = db
    .prepare<[number], string>('select storage_name from discarded_bytes limit ?')
    .pluck()
  const forget = db.prepare<[string]>('delete from discarded_bytes where storage_name = ?')

  return {
    scans,

    pendingById: (id: number): PendingUpload | undefined => pending.get(id),

    settleScan(id: number, state: ScanState): void {
      settle.run(state, id)
    },

    scanAgain(
      { id, company_id: companyId }: Pick<AnyFile, 'id' | 'company_id'>,
      now: number,
    ): void {
      settle.run('pending', id)
      scans.add(companyId, String(id), now)
    },

    /** Those that wait for a scan that is nobody's job. */
    pendingWithoutJob: (): { id: number; company_id: number }[] => unpromised.all(),

    byRef: (ref: string): AnyFile | undefined => anywhere.get(ref),

    isNamed: (storageName: string): boolean => named.get(storageName) !== undefined,

    /** Of every upload: seldom asked for, and of a whole table. */
    names: (): string[] =>
      db
        .prepare<[], string>('select storage_name from files where storage_name is not null')
        .pluck()
        .all(),

    lastWriteAt: (): number | null => lastWrite.get() ?? null,

    infected: (): string[] => infected.all(),

    /** What deleted files have left behind. */
    discarded: (limit: number): string[] => discarded.all(limit),

    forgetDiscarded(storageName: string): void {
      forget.run(storageName)
    },
  }
}
