import assert from 'node:assert/strict'
import { test } from 'node:test'
import { burstPerIp } from '../../src/gates/burst.ts'
import { Call } from '../../src/http/call.ts'
import { boot } from '../support/boot.ts'

test('the burst answer is a flat body: error is a plain sentence, with no code', async (t) => {
  const { majlis, api } = await boot(t, { burstPerIp: 3 })
  majlis.clock.set('2026-03-01T09:00:47.500Z')
  for (let i = 0; i < 3; i++) assert.equal((await api.get('/me')).status, 200)
  const answer = await api.get('/me')
  assert.equal(answer.status, 429)
  assert.deepEqual(Object.keys(answer.body), ['error'])
  assert.equal(typeof answer.body.error, 'string')
  assert.equal(answer.headers.get('retry-after'), '13', 'the seconds to the next whole minute')
  assert.equal(answer.headers.get('x-ratelimit-limit'), null)
  majlis.clock.set('2026-03-01T09:01:00Z')
  assert.equal((await api.get('/me')).status, 200)
})

test('the burst per key counts the text, whatever its address, right or wrong', async (t) => {
  const { api } = await boot(t, { burstPerKey: 2, trustProxy: true })
  const from = (n: number) => api.as('nonsense').with({ 'x-forwarded-for': `203.0.113.${n}` })
  assert.equal((await from(1).get('/me')).status, 401)
  assert.equal((await from(2).get('/me')).status, 401)
  assert.equal((await from(3).get('/me')).status, 429)
})

test('the limit per address holds for calls without any key', async (t) => {
  const { api } = await boot(t, { burstPerIp: 1 })
  assert.equal((await api.as(null).get('/me')).status, 401)
  assert.equal((await api.as(null).get('/me')).status, 429)
})

test('a burst refusal spends nothing of the day', async (t) => {
  const { majlis, api } = await boot(t, { burstPerKey: 1 })
  assert.equal((await api.get('/me')).headers.get('x-ratelimit-remaining'), '999')
  for (let i = 0; i < 5; i++) assert.equal((await api.get('/me')).status, 429)
  majlis.clock.advance({ minutes: 1 })
  assert.equal((await api.get('/me')).headers.get('x-ratelimit-remaining'), '998')
})

test('without --trust-proxy nobody chooses an address of their own', async (t) => {
  const { api } = await boot(t, { burstPerIp: 1 })
  assert.equal((await api.with({ 'x-forwarded-for': '203.0.113.1' }).get('/me')).status, 200)
  assert.equal((await api.with({ 'x-forwarded-for': '203.0.113.2' }).get('/me')).status, 429)
})

test('behind a proxy, a last entry that is no address does not make a caller of its own', async (t) => {
  const { api } = await boot(t, { burstPerIp: 1, trustProxy: true })
  assert.equal((await api.with({ 'x-forwarded-for': 'garbage1' }).get('/me')).status, 200)
  assert.equal((await api.with({ 'x-forwarded-for': 'garbage2' }).get('/me')).status, 429)
})

test('behind a proxy, what the client wrote into X-Forwarded-For itself does not count', async (t) => {
  const { api } = await boot(t, { burstPerIp: 1, trustProxy: true })
  const through = (own: string) => api.with({ 'x-forwarded-for': `${own}, 203.0.113.7` }).get('/me')
  assert.equal((await through('198.51.100.1')).status, 200)
  assert.equal((await through('198.51.100.2')).status, 429)
})

test('a flood of addresses leaves the memory of the counters bounded: the oldest is forgotten', () => {
  const gate = burstPerIp(1)
  const head = {
    method: 'GET',
    path: '/',
    query: '',
    authorization: '',
    hasBody: false,
    bodyLength: 0,
  }
  const callFrom = (ip: string) => gate(new Call('id', { ...head, ip }, 0))
  callFrom('203.0.113.1')
  assert.throws(() => callFrom('203.0.113.1'), /at most 1/)
  for (let i = 0; i < 100_000; i++) callFrom(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  assert.doesNotThrow(() => callFrom('203.0.113.1'))
})
