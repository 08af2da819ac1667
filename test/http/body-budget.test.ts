import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { bodyBudget } from '../../src/http/body-budget.ts'
import { boot, everything } from '../support/boot.ts'
import { eventually } from '../support/stored.ts'

test('what does not fit waits until something is given back, and the smaller go first', () => {
  const budget = bodyBudget(100, 60)
  const begun: string[] = []
  const giveBack = new Map<string, () => void>()
  const take = (name: string, key: number, bytes: number) =>
    budget.take(key, bytes, (back) => {
      begun.push(name)
      giveBack.set(name, back)
    })
  take('a', 1, 50)
  take('b', 1, 20)
  take('c', 2, 40)
  take('d', 3, 30)
  take('e', 3, 10)
  assert.deepEqual(begun, ['a', 'c', 'e'])
  giveBack.get('c')?.()
  assert.deepEqual(begun, ['a', 'c', 'e', 'd'])
  giveBack.get('a')?.()
  assert.deepEqual(begun, ['a', 'c', 'e', 'd', 'b'])
})

test('one that is larger than everything is let through alone', () => {
  const budget = bodyBudget(100, 60)
  const begun: number[] = []
  for (const bytes of [500, 500]) budget.take(1, bytes, () => begun.push(bytes))
  assert.deepEqual(begun, [500])
})

for (const http of ['uws', 'node'] as const) {
  test(`uploads that are not finished hold no more than their share, and give it back when they go, with ${http}`, async (t) => {
    const { majlis, api } = await boot(t, { http, plan: 'enterprise' })
    const path = `/projects/${majlis.seed.project().id}/files`
    const key = await majlis.key(everything)
    const { port } = new URL(majlis.url)
    const begin = () => {
      const socket = connect(Number(port), '127.0.0.1')
      t.after(() => socket.destroy())
      socket.on('error', () => {})
      socket.write(
        `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 16000000\r\n\r\n{`,
      )
      return socket
    }
    await api.as(key).get('/me')
    const sockets = Array.from({ length: 6 }, begin)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const body = { name: 'a.txt', content: 'a'.repeat(5_000_000) }
    let status = 0
    const waiting = api
      .as(key)
      .post(path, body)
      .then((answer) => {
        status = answer.status
      })
    assert.equal((await api.post(path, body)).status, 201, 'another key has a share of its own')
    assert.equal(status, 0)
    sockets[0]?.destroy()
    await eventually(() => assert.equal(status, 201))
    await waiting
  })
}
