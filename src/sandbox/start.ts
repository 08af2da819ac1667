import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminContext } from '../admin/context.ts'
import { createApp } from '../app.ts'
import { dataFolder } from '../db/data-folder.ts'
import type { Db } from '../db/database.ts'
import { openDatabase, openInMemory } from '../db/open.ts'
import { serverSettings } from '../db/settings.ts'
import { BASE_PATH } from '../gates/routing.ts'
import { openTransport } from '../http/server.ts'
import { jsonLog, type Log, silentLog } from '../log.ts'
import { byteLedger } from '../resources/files/bytes.ts'
import { memoryVault } from '../storage/memory.ts'
import { openVault } from '../storage/open.ts'
import type { Vault } from '../storage/vault.ts'
import { sandboxClock } from './clock.ts'
import { collectingMailer, memoryCalendars } from './outbox.ts'
import type { Sandbox, SandboxOptions } from './sandbox.ts'
import { scriptedScanner } from './scanner.ts'
import { seeder } from './seed.ts'

/** Cheap on purpose: these keys guard nothing, and a test makes many. */
const TEST_COST = { memoryCost: 8, timeCost: 1 }

/** A whole server on a free port, for tests that have no network and no time. */
export async function startMajlis(options: SandboxOptions = {}): Promise<Sandbox> {
  const { now, storage = 'memory', burstPerKey = 0, burstPerIp = 0, ...rest } = options
  const { trustProxy = false, http = 'uws', log: onLog, ...settings } = rest
  const clock = sandboxClock(now ?? Date.now())
  const log = onLog ? jsonLog(onLog, clock) : silentLog
  const { db, vault, folder, digestList } = openStorage(storage, log)
  const pending = db.prepare(`select 1 from files where scan_state = 'pending'`)
  const scanner = scriptedScanner(digestList, () => pending.get() !== undefined)
  const untold = db.prepare(`
    select 1 from notifications where state = 'pending'
    union all select 1 from jobs where kind = 'calendar' and state = 'pending' limit 1`)
  const mails = collectingMailer(() => untold.get() !== undefined)
  const calendars = memoryCalendars()
  const outside = { mailer: mails.port, calendarOf: calendars.clientOf }
  const ports = { vault, scanner: scanner.port, ...outside }
  const app = createApp({ db, ...ports, clock, log, burstPerIp, burstPerKey })
  const seed = seeder(adminContext(db, clock, TEST_COST), {
    vault,
    refresh: app.refresh,
    calendarTexts: calendars.textsAt,
  })
  const company = seed.company({ name: 'Sandbox', ...settings })
  const transport = await openTransport(http, app.receive, {
    trustProxy,
    onFault: (error) => log.fault(null, error),
    warn: log.warn,
  })
  const url = `http://127.0.0.1:${await transport.listen('127.0.0.1', 0)}`

  return {
    url,
    baseUrl: url + BASE_PATH,
    company,
    clock,
    scanner: scanner.script,
    mails: mails.script,
    folder,
    seed: {
      company: seed.company,
      user: company.user,
      project: company.project,
      list: company.list,
      task: company.task,
      discussion: company.discussion,
      event: company.event,
    },
    key: async (keyOptions) => (await company.key(keyOptions)).text,
    set: company.set,
    async close() {
      app.startClosing()
      await transport.close(1_000)
      await app.close()
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Storage {
  db: Db
  vault: Vault
  folder: string | null
  digestList: string
}

function openStorage(storage: 'memory' | 'folder', { warn }: Log): Storage {
  if (storage === 'memory') {
    return { db: openInMemory(), vault: memoryVault(), folder: null, digestList: '/nowhere' }
  }
  const data = dataFolder(mkdtempSync(join(tmpdir(), 'majlis-')))
  const db = openDatabase(data.database)
  const settings = serverSettings(db)
  const vault = openVault({ folders: data, settings, known: byteLedger(db), warn })
  return { db, vault, folder: data.path, digestList: data.digestList }
}
