import { randomBytes, randomInt } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { isArchived, resolvers } from './addresses.ts'
import type { Clock } from './clock.ts'
import { auditLog } from './db/audit.ts'
import { groupCommit } from './db/commit.ts'
import type { Db } from './db/database.ts'
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
import { openApiText } from './openapi/document.ts'
import { routes } from './routes.ts'
import { createStores } from './stores.ts'

export interface AppOptions {
  db: Db
  clock: Clock
  log: Log
  burstPerIp: number
  burstPerKey: number
}

export type App = ReturnType<typeof createApp>

/** Written at least this often: what a kill -9 may forget of the day's calls. */
const SAVE_INTERVAL = 500

export function createApp({ db, clock, log, burstPerIp, burstPerKey }: AppOptions) {
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
    commit,
    now: clock.now,
    nextRequestId,
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

  const fault = (error: unknown): void => log.fault(null, error)
  const watch = watchOtherProcesses(db, { onChange: keyring.forget, onFault: fault })
  const saving = setInterval(saveSoon, SAVE_INTERVAL).unref()

  return {
    receive,
    /** Keys and companies are looked up afresh: what this process itself has changed takes hold at once. */
    refresh: keyring.forget,
    startClosing(): void {
      isClosing = true
    },
    /** Once nothing is under way any more. */
    close(): void {
      isClosing = true
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
