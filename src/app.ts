import { randomBytes, randomInt } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { isArchived, resolvers } from './addresses.ts'
import type { CalendarClient } from './caldav/client.ts'
import type { Clock } from './clock.ts'
import { auditLog } from './db/audit.ts'
import { groupCommit } from './db/commit.ts'
import type { Db } from './db/database.ts'
import { departedNames } from './db/names/departed.ts'
import { nameRebuild } from './db/names/rebuild.ts'
import { outbox } from './db/notifications.ts'
import { watchOtherProcesses } from './db/watch.ts'
import { buildGates } from './gates/index.ts'
import { createKeyring } from './gates/keyring.ts'
import { quotaLedger } from './gates/quota.ts'
import { BASE_PATH } from './gates/routing.ts'
import { createDispatch } from './http/dispatch.ts'
import type { Exchange } from './http/exchange.ts'
import { router } from './http/match.ts'
import { answerOpenPath } from './http/open-paths.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/smtp.ts'
import { openApiText } from './openapi/document.ts'
import { pdfRenderer } from './pdf/renderer.ts'
import type { Ports } from './resources/context.ts'
import type { ConnectionRow } from './resources/events/connections.ts'
import { routes } from './routes.ts'
import type { Scanner } from './scan/scanner.ts'
import type { Vault } from './storage/vault.ts'
import { createStores } from './stores.ts'
import { calendarWorker } from './workers/calendar.ts'
import { discardWorker } from './workers/discard.ts'
import { notifyWorker } from './workers/notify.ts'
import { reindexWorker } from './workers/reindex.ts'
import { scanWorker } from './workers/scan.ts'

export interface AppOptions {
  db: Db
  vault: Vault
  /** Null scans nothing, and calls nothing clean. */
  scanner: Scanner | null
  /** Null sends nothing: notifications stay rows. */
  mailer: Mailer | null
  /** Opens the way to a connected calendar. */
  calendarOf(connection: ConnectionRow): CalendarClient
  clock: Clock
  log: Log
  burstPerIp: number
  burstPerKey: number
}

export type App = ReturnType<typeof createApp>

/** Written at least this often: what a kill -9 may forget of the day's calls. */
const SAVE_INTERVAL = 500

/** How long the work that is under way may take to come to its end, in milliseconds. */
const WORKERS_DEADLINE = 5_000

export function createApp(options: AppOptions) {
  const { db, vault, scanner, mailer, clock, log, burstPerIp, burstPerKey } = options
  // Waiting for another process's lock is the business of groupCommit: SQLite's own way of waiting stops everything.
  db.pragma('busy_timeout = 0')
  const stores = createStores(db, (limit) => randomInt(limit))
  const commit = groupCommit(db)
  const audit = auditLog(db)
  const ledger = quotaLedger(stores.account)
  const keyring = createKeyring({
    secretByLookupId: stores.account.secretByLookupId,
    secretById: stores.account.secretById,
    verifyDigest: verify,
  })
  const nextRequestId = requestIds()
  // Unlike `select 1`, this reads a page of the file.
  const probe = db.prepare('pragma user_version')
  let isClosing = false
  let stopped: Promise<unknown> | null = null
  const fault = (error: unknown): void => log.fault(null, error)
  const pdf = pdfRenderer({ onFault: fault })
  const { bytes, connections, events, discussions } = stores
  const ways = { commit, now: clock.now, onFault: fault }
  const workers = [
    scanWorker({ ...ways, bytes, vault, scanner, warn: log.warn }),
    discardWorker({ ...ways, bytes, vault }),
    calendarWorker({ ...ways, connections, events, clientOf: options.calendarOf }),
    reindexWorker({ ...ways, names: nameRebuild(db), departed: departedNames(db), note: log.note }),
  ]
  if (mailer !== null) {
    workers.push(
      notifyWorker({
        ...ways,
        outbox: outbox(db),
        mailer,
        topic: discussions.told,
        warn: log.warn,
      }),
    )
  }

  function wakeWorkers(): void {
    for (const worker of workers) worker.wake()
  }

  const dispatch = createDispatch({
    gates: buildGates({
      burstPerIp,
      burstPerKey,
      keyring,
      ledger,
      match: router(routes),
      now: clock.now,
      resolverOf: resolvers(stores),
      isArchived,
    }),
    stores,
    ports: { vault, pdf } satisfies Ports,
    commit,
    now: clock.now,
    nextRequestId,
    wakeWorkers,
    peekAllowance: (call) => ledger.peek(call.company, call.now),
    audit: audit.record,
    logRequest: log.request,
    logFault: log.fault,
  })

  const openPaths = { nextRequestId, openApi: openApiText, whyNotReady }

  function receive(exchange: Exchange): void {
    if (isUnderBase(exchange.head.path)) dispatch(exchange)
    else answerOpenPath(openPaths, exchange)
  }

  function whyNotReady(): string | null {
    if (isClosing) return 'the server is shutting down'
    try {
      probe.get()
      return null
    } catch {
      return 'the database does not answer'
    }
  }

  /** Answers how to take it back, should the transaction fail. */
  function saveUses(): () => void {
    const forgetSave = ledger.save()
    for (const [keyId, at] of keyring.takeUses()) stores.account.touchKey(keyId, at)
    return forgetSave
  }

  function saveSoon(): void {
    if (!keyring.hasUses()) return
    let takeBack = (): void => {}
    const work = (): void => {
      takeBack = saveUses()
    }
    commit.run(work).catch((error) => {
      takeBack()
      fault(error)
    })
  }

  /** The scanner may be another one now; and what waits for a scan is told to the queue, should its job be lost. */
  function resumeScans(): void {
    commit
      .run(() => {
        for (const file of bytes.pendingWithoutJob()) bytes.scanAgain(file, clock.now())
        bytes.scans.hurryAll(clock.now())
      })
      .then(wakeWorkers, fault)
  }

  function followOtherProcesses(): void {
    keyring.forget()
    wakeWorkers()
  }

  const watch = watchOtherProcesses(db, { onChange: followOtherProcesses, onFault: fault })
  const saving = setInterval(saveSoon, SAVE_INTERVAL).unref()
  resumeScans()

  function startClosing(): void {
    isClosing = true
    stopped ??= Promise.all(workers.map((worker) => worker.stop()))
  }

  return {
    receive,
    /** What this process itself has changed beside the API takes hold at once, as another process's changes do soon. */
    refresh: followOtherProcesses,
    startClosing,
    /** Once nothing is under way any more. */
    async close(): Promise<void> {
      startClosing()
      // A mail that has left shall be known to have left; one that hangs is not waited for.
      await within(WORKERS_DEADLINE, stopped)
      await pdf.close()
      mailer?.close()
      watch.stop()
      clearInterval(saving)
      db.pragma('busy_timeout = 5000')
      try {
        commit.flush()
        db.transaction(saveUses).immediate()
      } finally {
        db.close()
        log.flush()
      }
    },
  }
}

/** Its timer keeps the process alive: what comes after the wait must not be left out for want of anything else to do. */
async function within(milliseconds: number, work: Promise<unknown> | null): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}

function isUnderBase(path: string): boolean {
  return (
    path.startsWith(BASE_PATH) &&
    (path.length === BASE_PATH.length || path[BASE_PATH.length] === '/')
  )
}

/** Unique for good: a random word a process, and a number a request. */
function requestIds(): () => string {
  const process = randomBytes(8).toString('hex')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
