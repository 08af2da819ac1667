import type { GroupCommit } from '../db/commit.ts'
import type { Job } from '../db/jobs.ts'
import type { ByteLedger, PendingUpload } from '../resources/files/bytes.ts'
import type { Scanner, Verdict } from '../scan/scanner.ts'
import type { Vault } from '../storage/vault.ts'
import { jobRunner, type Worker } from './runner.ts'

export interface ScanParts {
  bytes: ByteLedger
  vault: Vault
  /** Without one nothing is scanned, and nothing is called clean. */
  scanner: Scanner | null
  commit: GroupCommit
  now(): number
  warn(sentence: string): void
  onFault(error: unknown): void
}

/** More than two would only wait for each other inside the scanner. */
const MOST_SCANS = 2

type Outcome = Verdict | { readonly state: 'skipped' }

export function scanWorker(parts: ScanParts): Worker {
  const { bytes, vault, scanner, commit, now, warn, onFault } = parts
  const stopping = new AbortController()
  let isFailing = false

  async function run(job: Job): Promise<void> {
    const file = bytes.pendingById(Number(job.subject))
    if (file === undefined) {
      await commit.run(() => bytes.scans.finish(job))
      return
    }
    const outcome = await judge(file)
    // In this order a crash leaves nothing clean in quarantine, and nothing infected where it can be served.
    if (outcome.state !== 'infected') await vault.release(file.storage_name)
    await commit.run(() => {
      bytes.settleScan(file.id, outcome.state)
      bytes.scans.finish(job)
    })
    if (outcome.state === 'infected') await isolate(file, outcome.threat)
  }

  async function judge(file: PendingUpload): Promise<Outcome> {
    if (scanner === null) return { state: 'skipped' }
    try {
      const verdict = await scanned(scanner, file)
      if (isFailing) warn('The virus scanner answers again.')
      isFailing = false
      return verdict
    } catch (error) {
      if (!isFailing && !stopping.signal.aborted)
        warn(`${file.ref} could not be scanned and waits: ${(error as Error).message}`)
      isFailing = true
      throw error
    }
  }

  async function scanned(by: Scanner, file: PendingUpload): Promise<Verdict> {
    const source = await vault.openAnywhere(file.storage_name)
    try {
      return await by.scan({ bytes: source, sha256: file.sha256 }, stopping.signal)
    } finally {
      source.close()
    }
  }

  /** The next start does it again where this fails: the row has said infected before. */
  async function isolate(file: PendingUpload, threat: string): Promise<void> {
    warn(
      `${file.ref} is infected (${threat}): its bytes go into quarantine, and nobody can download it.`,
    )
    await vault.quarantine(file.storage_name).catch(onFault)
  }

  const runner = jobRunner({ queue: bytes.scans, commit, atMost: MOST_SCANS, run, now, onFault })
  return {
    wake: runner.wake,
    stop() {
      runner.stop()
      stopping.abort()
    },
  }
}
