import type { DataFolder } from '../db/data-folder.ts'
import type { Db } from '../db/database.ts'
import { serverSettings } from '../db/settings.ts'
import { readDigestList } from '../scan/builtin.ts'
import { type ClamdAddress, readScannerChoice, scannerCaution } from '../scan/choice.ts'
import { clamdVersion } from '../scan/clamd.ts'
import type { Finding } from './findings.ts'

const PATIENCE = 5_000
const check = 'virus scanner'

/** The one that the server was last started with. */
export async function checkScanner(db: Db, { digestList }: DataFolder): Promise<Finding[]> {
  const written = serverSettings(db).read('scanner') ?? 'builtin'
  const choice = readScannerChoice(written)
  if (choice === null) return [{ check, ok: false, detail: `${written} is no scanner` }]
  if (choice.kind === 'none') {
    return [{ check, ok: true, detail: scannerCaution(choice) ?? '' }]
  }
  return [await (choice.kind === 'builtin' ? checkBuiltin(digestList) : checkClamd(choice.address))]
}

async function checkBuiltin(digestList: string): Promise<Finding> {
  try {
    const digests = await readDigestList(digestList)
    const list = digests === 1 ? '1 digest is listed' : `${digests} digests are listed`
    return { check, ok: true, detail: `${scannerCaution({ kind: 'builtin' })} ${list}.` }
  } catch (error) {
    return { check, ok: false, detail: (error as Error).message }
  }
}

async function checkClamd(address: ClamdAddress): Promise<Finding> {
  try {
    return { check, ok: true, detail: `${await clamdVersion(address, PATIENCE)} answers` }
  } catch (error) {
    return { check, ok: false, detail: (error as Error).message }
  }
}
