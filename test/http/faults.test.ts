import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupCommit } from '../../src/db/commit.ts'
import { openInMemory } from '../../src/db/open.ts'
import { quotaLedger } from '../../src/gates/quota.ts'
import { createDispatch } from '../../src/http/dispatch.ts'
import type { Exchange, Receive } from '../../src/http/exchange.ts'
import { appOn } from '../support/app.ts'

function ask(receive: Receive, path: string): Promise<{ status: number; body: string }> {
  const head = {
    method: 'GET',
    path,
    query: '',
    authorization: '',
    ip: '',
    hasBody: false,
    bodyLength: 0,
  }
  return new Promise((resolve) => {
    const send: Exchange['send'] = (status, _, body) => resolve({ status, body })
    receive({
      head,
      readBody: () => assert.fail(),
      send,
      whenOver() {},
      sendBytes: () => assert.fail(),
    })
  })
}

for (const when of ['at once', 'after argon2 was waited for']) {
  test(`a database that fails in the gates, ${when}, and again for the headers, is still a 500`, async () => {
    const db = openInMemory()
    const fail = () => {
      throw new Error('disk I/O error')
    }
    const dispatch = createDispatch({
      gates: {
        ofHead: [
          (call) => {
            call.key = { company: {} } as never
            return when === 'at once' ? undefined : Promise.resolve()
          },
          fail,
        ],
        ofRecord: [],
        ofInput: [],
      },
      stores: {},
      ports: {},
      commit: groupCommit(db),
      now: () => 0,
      nextRequestId: () => 'id',
      wakeWorkers() {},
      peekAllowance: fail,
      audit() {},
      logRequest() {},
      logFault() {},
    })
    const answer = await ask(dispatch, '/api/v1/me')
    assert.equal(answer.status, 500)
    assert.equal(JSON.parse(answer.body).error.code, 'internal_error')
    db.close()
  })
}

test('/readyz is 503 once the server is closing, while /healthz goes on', async () => {
  const app = appOn(openInMemory())
  assert.equal((await ask(app.receive, '/readyz')).status, 200)
  app.startClosing()
  assert.equal((await ask(app.receive, '/readyz')).status, 503)
  assert.equal((await ask(app.receive, '/healthz')).status, 200)
  await app.close()
})

test('/readyz is 503 when the database does not answer', async () => {
  const db = openInMemory()
  const app = appOn(db)
  db.close()
  assert.equal((await ask(app.receive, '/readyz')).status, 503)
  await assert.rejects(app.close())
})

test('what was spent is saved again when the transaction that saved it has failed', () => {
  const saved: number[] = []
  const ledger = quotaLedger({ readUsed: () => 0, saveUsed: (_, __, used) => saved.push(used) })
  const company = { id: 1, timeZone: 'UTC', allowance: 10, plan: {} } as never
  ledger.spend(company, 0)
  const takeBack = ledger.save()
  takeBack()
  ledger.save()
  ledger.save()
  assert.deepEqual(saved, [1, 1], 'and not once more than needed')
})
