import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { openInMemory } from '../../src/db/open.ts'
import { routes } from '../../src/routes.ts'
import { boot } from '../support/boot.ts'
import { everyAddress, fill, goodBody, populate, refsOf } from '../support/routes.ts'

/** The few statements that may look at a whole table, each with its reason. */
const allowedScans: Record<string, string> = {}

/** Collects the text of every statement that is prepared while `work` runs. */
async function preparedDuring(work: () => Promise<unknown>): Promise<string[]> {
  const { prepare } = Database.prototype
  const statements: string[] = []
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    statements.push(sql)
    return prepare.call(this, sql)
  } as typeof prepare
  try {
    await work()
    return statements
  } finally {
    Database.prototype.prepare = prepare
  }
}

test('no statement of the server scans a table', async () => {
  const { createApp } = await import('../../src/app.ts')
  const { silentLog } = await import('../../src/log.ts')
  const { systemClock } = await import('../../src/clock.ts')
  const db = openInMemory()
  const settings = { burstPerIp: 0, burstPerKey: 0 }
  let close = () => {}
  const statements = await preparedDuring(async () => {
    close = createApp({ db, clock: systemClock, log: silentLog, ...settings }).close
  })
  const asked = statements.filter((sql) => /^\s*(select|insert|update|delete)/i.test(sql))
  assert.ok(asked.length > 60, `${asked.length} statements were seen`)
  for (const sql of asked) {
    const plan = db
      .prepare<[], { detail: string }>(`explain query plan ${sql.replace(/\?|@\w+/g, '1')}`)
      .all()
    const scans = plan.filter(({ detail }) => /^SCAN (?!CONSTANT|json_each)/.test(detail))
    if (scans.length > 0 && !(sql in allowedScans)) {
      assert.fail(`${scans.map(({ detail }) => detail).join(', ')} in ${sql}`)
    }
  }
  close()
})

test('the test above sees a scan where there is one', () => {
  const db = openInMemory()
  const plan = db
    .prepare<[], { detail: string }>("explain query plan select id from users where role = 'owner'")
    .all()
  assert.match(plan[0]?.detail ?? '', /^SCAN/)
  db.close()
})

test('no statement is prepared for a request', async (t) => {
  const { majlis, api } = await boot(t, { plan: 'productive' })
  const worlds = everyAddress(routes).map((address) => {
    return { ...address, handles: refsOf(populate(majlis.company)) }
  })
  const powerless = await majlis.key({ scope: 'read', operations: [] })
  const statements = await preparedDuring(async () => {
    for (const { route, path, handles, title } of worlds) {
      const answer = await api.send(route.method, fill(path, handles), goodBody(route, handles))
      assert.equal(answer.status, route.reply.status, title)
    }
    await api.get('/projects?include_archived=true&limit=1')
    await api.get('/projects/real/members')
    await api.get('/projects/prj-0000000000')
    await api.as(powerless).get('/me')
  })
  assert.deepEqual(statements, [])
})
