import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { openInMemory } from '../../src/db/open.ts'
import { routes } from '../../src/routes.ts'
import { boot } from '../support/boot.ts'
import { everyAddress, fill, goodBody, goodStatus, populate, refsOf } from '../support/routes.ts'

/** What holds no more rows than there is work to do: those may be looked at from one end to the other. */
const small = [
  'CONSTANT',
  'json_each',
  'discarded_bytes',
  'name_indexes',
  'names_to_clear',
  '\\w+ VIRTUAL TABLE INDEX \\d+:(?:M1|=)',
  '\\w+ USING INDEX files_to_scan',
]
const grown = new RegExp(
  `^SCAN (?!${[...small, '\\w+ USING COVERING INDEX files_infected'].join('|')})`,
)

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
  const { appOn } = await import('../support/app.ts')
  const db = openInMemory()
  let close = async () => {}
  const statements = await preparedDuring(async () => {
    close = appOn(db).close
  })
  const asked = statements.filter((sql) => /^\s*(select|insert|update|delete)/i.test(sql))
  assert.ok(asked.length > 60, `${asked.length} statements were seen`)
  for (const sql of asked) {
    const plan = db
      .prepare<[], { detail: string }>(`explain query plan ${sql.replace(/\?|@\w+/g, '1')}`)
      .all()
    const scans = plan.filter(({ detail }) => grown.test(detail))
    assert.equal(scans.length, 0, `${scans.map(({ detail }) => detail).join(', ')} in ${sql}`)
  }
  await close()
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
      assert.equal(answer.status, goodStatus(route), title)
    }
    await api.get('/projects?include_archived=true&limit=1')
    await api.get('/projects/real/members')
    await api.get('/projects/prj-0000000000')
    await api.as(powerless).get('/me')
  })
  assert.deepEqual(statements, [])
})
