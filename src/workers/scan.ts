import type { GroupCommit } from '../db/commit.ts'
import type { Job } from '../db/jobs.ts'
import { Failure } from '../domain/failure.ts'
import type { ByteLedger, PendingUpload } from '../resources/files/bytes.ts'
import type { Scanner, Verdict } from '../scan/scanner.ts'
import type { Vault } from '../storage/vault.ts'
import { queueRunner, type Worker } from './runner.ts'

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
    const outcome = scanner === null ? await unjudged(file) : await judge(scanner, file)
    // The bytes move first: what a crash leaves pending is scanned wherever it lies, and never served from quarantine.
    if (outcome.state === 'clean') await vault.release(file.storage_name)
    if (outcome.state === 'infected') await isolate(file, outcome.threat)
    await commit.run(() => {
      bytes.settleScan(file.id, outcome.state)
      bytes.scans.finish(job)
    })
  }

  /** Without a scanner nothing leaves quarantine. */
  async function unjudged(file: PendingUpload): Promise<Outcome> {
    const isHeld = await vault.isQuarantined(file.storage_name)
    return isHeld ? { state: 'infected', threat: 'as it was before' } : { state: 'skipped' }
  }

  async function judge(by: Scanner, file: PendingUpload): Promise<Verdict> {
    const source = await vault.openAnywhere(file.storage_name).catch((error: Error) => {
      throw new Failure(
        `the bytes of ${file.ref} cannot be read (${error.message}): restore them from a backup, or delete the file.`,
      )
    })
    try {
      const verdict = await by.scan({ bytes: source, sha256: file.sha256 }, stopping.signal)
      if (isFailing) warn('The virus scanner answers again.')
      isFailing = false
      return verdict
    } catch (error) {
      if (!isFailing && !stopping.signal.aborted)
        warn(`${file.ref} could not be scanned and waits: ${(error as Error).message}`)
      isFailing = true
      throw error
    } finally {
      source.close()
    }
  }

  async function isolate(file: PendingUpload, threat: string): Promise<void> {
    await vault.quarantine(file.storage_name)
    warn(
      `${file.ref} is infected (${threat}): its bytes are in quarantine, and nobody can download it.`,
    )
  }

  const runner = queueRunner<Job>({
    queue: bytes.scans,
    commit,
    atMost: MOST_SCANS,
    run,
    pauses: { first: 1_000, longest: 60_000 },
    now,
    onFault,
  })
  return {
    wake: runner.wake,
    stop() {
      stopping.abort()
      return runner.stop()
    },
  }
}
