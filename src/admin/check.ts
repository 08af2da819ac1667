import type { DataFolder } from '../db/data-folder.ts'
import type { Db } from '../db/database.ts'
import { checkDatabase } from './check-database.ts'
import { checkFiles } from './check-files.ts'
import { checkNames } from './check-names.ts'
import { checkOutbox } from './check-outbox.ts'
import { checkScanner } from './check-scanner.ts'
import type { Finding } from './findings.ts'

export interface CheckReport {
  ok: boolean
  checks: Finding[]
}

/** Looks at everything it can, and changes nothing. */
export async function checkEverything(db: Db, folder: DataFolder): Promise<CheckReport> {
  const checks = [
    ...checkDatabase(db),
    checkNames(db),
    ...(await checkFiles(db, folder)),
    ...(await checkScanner(db, folder)),
    ...checkOutbox(db),
  ]
  return { ok: checks.every((check) => check.ok), checks }
}
