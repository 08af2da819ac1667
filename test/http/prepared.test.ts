import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { adminContext } from '../../src/admin/context.ts'
import { systemClock } from '../../src/clock.ts'
import { openInMemory } from '../../src/db/open.ts'
import { seeder } from '../../src/sandbox/seed.ts'
import { memoryVault } from '../../src/storage/memory.ts'
import { appOn } from '../support/app.ts'
import { everything } from '../support/boot.ts'

/** An application whose disk waits: `gate()` is called before each put and each open goes on. */
async function slowDisk(t: TestContext) {
  const db = openInMemory()
  const inner = memoryVault()
  const removed: string[] = []
  let closed = 0
  let meanwhile = (): void => {}
  const app = appOn(db, {
    ...inner,
    async put(bytes) {
      const stored = await inner.put(bytes)
      meanwhile()
      return stored
    },
    async open(name) {
      const source = await inner.open(name)
      meanwhile()
      return {
        ...source,
        close() {
          closed++
        },
      }
    },
    async remove(name) {
      removed.push(name)
      await inner.remove(name)
    },
  })
  t.after(() => app.close())
  const context = adminContext(db, systemClock, { memoryCost: 8, timeCost: 1 })
  const company = seeder(context, {
    vault: inner,
    refresh: app.refresh,
    calendarTexts: () => [],
  }).company()
  const key = await company.key(everything)

  function ask(method: string, path: string, body = ''): Promise<{ status: number; text: string }> {
    const authorization = `Bearer ${key.text}`
    const head = {
      method,
      path: `/api/v1${path}`,
      query: '',
      authorization,
      ip: '',
      hasBody: false,
      bodyLength: 0,
    }
    return new Promise((resolve) => {
      app.receive({
        head,
        readBody: (_, done) => done(Buffer.from(body)),
        send: (status, _, text) => resolve({ status, text }),
        whenOver() {},
        sendBytes(status, _, __, source) {
          source.close()
          resolve({ status, text: '' })
        },
      })
    })
  }

  return {
    db,
    company,
    key,
    ask,
    removed,
    closed: () => closed,
    meanwhile(work: () => void) {
      meanwhile = work
    },
  }
}

const upload = JSON.stringify({ name: 'a.txt', content: 'a' })

const changes: [what: string, status: number, change: string][] = [
  ['the project is archived', 403, 'archive'],
  ['the project is deleted', 404, 'remove'],
  ['the key is revoked', 401, 'revoke'],
  ['the subscription becomes read-only', 403, 'freeze'],
  ['the folder is deleted', 422, 'empty'],
]

for (const [what, status, change] of changes) {
  test(`an upload is refused and its bytes are taken back when ${what} while they are written`, async (t) => {
    const { db, company, key, ask, removed, meanwhile } = await slowDisk(t)
    const project = company.project()
    const folder = project.folder()
    await ask('GET', '/me')
    meanwhile(() => {
      if (change === 'archive') project.archive()
      if (change === 'remove') project.remove()
      if (change === 'revoke') key.revoke()
      if (change === 'freeze') company.set({ readOnly: true })
      if (change === 'empty') folder.remove()
    })
    const body = JSON.stringify({ name: 'a.txt', content: 'a', folder_id: folder.id })
    const answer = await ask('POST', `/projects/${project.id}/files`, body)
    assert.equal(answer.status, status, answer.text)
    assert.equal(removed.length, 1)
    assert.equal(db.prepare('select count(*) from files').pluck().get(), 0)
    const denied = db.prepare("select count(*) from audit_entries where outcome = 'denied'").pluck()
    assert.equal(denied.get(), status === 403 ? 1 : 0)
  })
}

test('an upload that goes well keeps its bytes', async (t) => {
  const { company, ask, removed } = await slowDisk(t)
  assert.equal((await ask('POST', `/projects/${company.project().id}/files`, upload)).status, 201)
  assert.deepEqual(removed, [])
})

test('a disk that fails is a 500 that says nothing of the inside, and no row is left', async (t) => {
  const { db, company, ask, meanwhile } = await slowDisk(t)
  meanwhile(() => {
    throw new Error('ENOSPC: no space left on device')
  })
  const answer = await ask('POST', `/projects/${company.project().id}/files`, upload)
  assert.equal(answer.status, 500)
  assert.doesNotMatch(answer.text, /ENOSPC/)
  assert.equal(db.prepare('select count(*) from files').pluck().get(), 0)
})

for (const [what, status, change] of [
  ['is deleted', 404, `delete from files`],
  ['is found infected', 403, `update files set scan_state = 'infected'`],
  ['has to be scanned again', 403, `update files set scan_state = 'pending'`],
] as const) {
  test(`a download is refused and its source is closed when the file ${what} while it is opened`, async (t) => {
    const { db, company, ask, closed, meanwhile } = await slowDisk(t)
    const project = company.project()
    const file = await project.file()
    db.exec(`update files set scan_state = 'clean'`)
    const path = `/projects/${project.id}/files/${file.id}/download`
    assert.equal((await ask('GET', path)).status, 200)
    assert.equal(closed(), 1)
    meanwhile(() => db.exec(change))
    assert.equal((await ask('GET', path)).status, status)
    assert.equal(closed(), 2)
  })
}

test('bytes that are not as many as were stored are not served', async (t) => {
  const { db, company, ask, closed } = await slowDisk(t)
  const project = company.project()
  const file = await project.file()
  db.exec(`update files set scan_state = 'clean', size_bytes = 99`)
  assert.equal((await ask('GET', `/projects/${project.id}/files/${file.id}/download`)).status, 500)
  assert.equal(closed(), 1)
})
