import assert from 'node:assert/strict'
import { type App, createApp } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import type { Db } from '../../src/db/database.ts'
import { silentLog } from '../../src/log.ts'
import { memoryVault } from '../../src/storage/memory.ts'
import type { Vault } from '../../src/storage/vault.ts'

/** The application without a transport: for tests that hand it requests of their own making. */
export function appOn(db: Db, vault: Vault = memoryVault()): App {
  return createApp({
    db,
    vault,
    scanner: null,
    mailer: null,
    calendarOf: () => assert.fail(),
    clock: systemClock,
    log: silentLog,
    burstPerIp: 0,
    burstPerKey: 0,
  })
}
