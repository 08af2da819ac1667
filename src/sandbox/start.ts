import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminContext } from '../admin/context.ts'
import { createApp } from '../app.ts'
import { dataFolder } from '../db/data-folder.ts'
import type { Db } from '../db/database.ts'
import { openDatabase, openInMemory } from '../db/open.ts'
import { BASE_PATH } from '../gates/routing.ts'
import { openTransport } from '../http/server.ts'
import { jsonLog, silentLog } from '../log.ts'
import { sandboxClock } from './clock.ts'
import type { Sandbox, SandboxOptions } from './sandbox.ts'
import { seeder } from './seed.ts'

/** Cheap on purpose: these keys guard nothing, and a test makes many. */
const TEST_COST = { memoryCost: 8, timeCost: 1 }

/** A whole server on a free port, for tests that have no network and no time. */
export async function startMajlis(options: SandboxOptions = {}): Promise<Sandbox> {
  const { now, storage = 'memory', burstPerKey = 0, burstPerIp = 0, ...rest } = options
  const { trustProxy = false, http = 'uws', log: onLog, ...settings } = rest
  const clock = sandboxClock(now ?? Date.now())
  const log = onLog ? jsonLog(onLog, clock) : silentLog
  const { db, folder } = openStorage(storage)
  const app = createApp({ db, clock, log, burstPerIp, burstPerKey })
  const seed = seeder(adminContext(db, clock, TEST_COST), app.refresh)
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
    folder,
    seed: {
      company: seed.company,
      user: company.user,
      project: company.project,
      list: company.list,
      task: company.task,
      discussion: company.discussion,
    },
    key: async (keyOptions) => (await company.key(keyOptions)).text,
    set: company.set,
    async close() {
      app.startClosing()
      await transport.close(1_000)
      app.close()
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function openStorage(storage: 'memory' | 'folder'): { db: Db; folder: string | null } {
  if (storage === 'memory') return { db: openInMemory(), folder: null }
  const folder = mkdtempSync(join(tmpdir(), 'majlis-'))
  return { db: openDatabase(dataFolder(folder).database), folder }
}
