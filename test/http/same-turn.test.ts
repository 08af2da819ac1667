import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminContext } from '../../src/admin/context.ts'
import { systemClock } from '../../src/clock.ts'
import { openInMemory } from '../../src/db/open.ts'
import type { Head } from '../../src/http/exchange.ts'
import { routes } from '../../src/routes.ts'
import { seeder } from '../../src/sandbox/seed.ts'
import { memoryVault } from '../../src/storage/memory.ts'
import { appOn } from '../support/app.ts'
import { everything } from '../support/boot.ts'
import { everyAddress, fill, populate, refsOf } from '../support/routes.ts'

test('every read that waits for no disk is answered in the same turn of the event loop, once its key is known', async (t) => {
  const db = openInMemory()
  const app = appOn(db)
  t.after(() => app.close())
  const context = adminContext(db, systemClock, { memoryCost: 8, timeCost: 1 })
  const company = seeder(context, {
    vault: memoryVault(),
    refresh: app.refresh,
    calendarTexts: () => [],
  }).company()
  const handles = refsOf(populate(company))
  const { text: key } = await company.key(everything)
  const headOf = (path: string): Head => ({
    method: 'GET',
    path: `/api/v1${path}`,
    query: '',
    authorization: `Bearer ${key}`,
    ip: '203.0.113.1',
    hasBody: false,
    bodyLength: 0,
  })
  const receive = (path: string, onAnswer: (status: number) => void) =>
    app.receive({
      head: headOf(path),
      readBody: () => assert.fail(),
      send: onAnswer,
      whenOver() {},
      sendBytes: () => assert.fail(),
    })

  await new Promise((resolve) => receive('/me', resolve))
  for (const { path, route } of everyAddress(routes).filter(
    ({ route }) => route.method === 'GET' && route.prepare === undefined,
  )) {
    let status = 0
    receive(fill(path, handles), (answered) => {
      status = answered
    })
    assert.equal(status, 200, `${route.name} was answered before receive() returned`)
  }
})
