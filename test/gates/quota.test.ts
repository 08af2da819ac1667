import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot, everything } from '../support/boot.ts'
import { type Answer, assertRefused } from '../support/client.ts'

function rateLimit({ headers }: Answer) {
  return ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
}

const midnight = (time: string) => String(Date.parse(time) / 1000)

const plans: [plan: 'advanced' | 'productive' | 'enterprise', limit: string, left: string][] = [
  ['advanced', '1000', '999'],
  ['productive', '10000', '9999'],
  ['enterprise', 'unlimited', 'unlimited'],
]

for (const [plan, limit, left] of plans) {
  test(`the ${plan} plan has ${limit} calls a day`, async (t) => {
    const { api } = await boot(t, { plan })
    assert.deepEqual(rateLimit(await api.get('/me')), [limit, left, midnight('2026-03-02T00:00Z')])
  })
}

for (const plan of ['free', 'pro'] as const) {
  test(`the ${plan} plan has no API access: 403 in two languages naming the plan, never 429`, async (t) => {
    const { majlis, api } = await boot(t, { plan, dailyLimit: 5 })
    const answer = await api.get('/me')
    assertRefused(answer, 403, 'plan_upgrade_required')
    assert.match(answer.message ?? '', plan === 'free' ? /Free.*المجانية/ : /Pro.*الاحترافية/)
    assert.deepEqual(rateLimit(answer), ['0', '0', null])
    assert.equal(answer.headers.get('retry-after'), null)
    majlis.set({ plan: 'advanced', dailyLimit: null })
    assert.equal(
      (await api.get('/me')).headers.get('x-ratelimit-remaining'),
      '999',
      'it spent nothing',
    )
  })
}

test("a company's own limit replaces its plan's number, and 0 is no access", async (t) => {
  const { majlis, api } = await boot(t, { plan: 'enterprise', dailyLimit: 7 })
  assert.deepEqual(rateLimit(await api.get('/me')).slice(0, 2), ['7', '6'])
  majlis.set({ dailyLimit: 0 })
  const none = await api.get('/me')
  assertRefused(none, 403, 'plan_upgrade_required')
  assert.match(none.message ?? '', /Enterprise plan is set to 0.*المؤسسات/)
})

test('a spent allowance is 429 in two languages naming the plan, until midnight in the company time zone', async (t) => {
  const { majlis, api } = await boot(t, {
    timeZone: 'Asia/Riyadh',
    dailyLimit: 2,
    now: '2026-03-01T20:58:30Z',
  })
  await api.get('/me')
  assert.deepEqual(rateLimit(await api.get('/me')).slice(0, 2), ['2', '0'])
  const answer = await api.get('/me')
  assertRefused(answer, 429, 'rate_limit_exceeded')
  assert.match(answer.message ?? '', /Advanced.*المتقدمة/)
  assert.equal(answer.headers.get('retry-after'), '90')
  assert.deepEqual(rateLimit(answer), ['2', '0', midnight('2026-03-01T21:00Z')])
  majlis.clock.advance({ seconds: 89 })
  assert.equal((await api.get('/me')).headers.get('retry-after'), '1')
  majlis.clock.advance({ seconds: 1 })
  assert.deepEqual(rateLimit(await api.get('/me')), ['2', '1', midnight('2026-03-02T21:00Z')])
})

const zones: [zone: string, now: string, reset: string, retryAfter: string][] = [
  ['UTC', '2026-03-01T23:00:00Z', '2026-03-02T00:00Z', '3600'],
  ['Asia/Riyadh', '2026-03-01T20:00:00Z', '2026-03-01T21:00Z', '3600'],
  ['Africa/Cairo', '2026-04-23T21:59:00Z', '2026-04-23T22:00Z', '60'],
  ['Africa/Cairo', '2026-04-24T20:00:00Z', '2026-04-24T21:00Z', '3600'],
  ['Africa/Cairo', '2026-10-29T21:00:00Z', '2026-10-29T22:00Z', '3600'],
  ['America/New_York', '2026-03-08T06:00:00Z', '2026-03-09T04:00Z', String(22 * 3600)],
  ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-02T05:00Z', String(25 * 3600)],
  ['Asia/Kathmandu', '2026-03-01T18:14:59Z', '2026-03-01T18:15Z', '1'],
  ['Pacific/Apia', '2026-03-01T10:59:00Z', '2026-03-01T11:00Z', '60'],
]

for (const [zone, now, reset, retryAfter] of zones) {
  test(`in ${zone} at ${now} the day ends at ${reset}`, async (t) => {
    const { majlis, api } = await boot(t, { timeZone: zone, now, dailyLimit: 1 })
    await api.get('/me')
    const answer = await api.get('/me')
    assertRefused(answer, 429, 'rate_limit_exceeded')
    assert.equal(answer.headers.get('retry-after'), retryAfter)
    assert.equal(answer.headers.get('x-ratelimit-reset'), midnight(reset))
    majlis.clock.advance({ seconds: Number(retryAfter) - 1 })
    assertRefused(await api.get('/me'), 429, 'rate_limit_exceeded')
    majlis.clock.advance({ seconds: 1 })
    assert.equal((await api.get('/me')).status, 200)
  })
}

test('the allowance is the company’s: another key of it does not raise it', async (t) => {
  const { majlis, api } = await boot(t, { dailyLimit: 3 })
  const second = api.as(await majlis.key())
  await api.get('/me')
  await second.get('/me')
  await api.get('/me')
  assertRefused(await second.get('/me'), 429, 'rate_limit_exceeded')
})

test('a change of zone keeps what was spent on a date, saved or not', async (t) => {
  const { majlis, api } = await boot(t, { dailyLimit: 5, now: '2026-03-01T20:30:00Z' })
  const left = async () => rateLimit(await api.get('/me'))[1]
  assert.deepEqual([await left(), await left()], ['4', '3'])
  majlis.set({ timeZone: 'Asia/Kathmandu' })
  assert.equal(await left(), '4', 'it is the second of March there')
  majlis.set({ timeZone: 'UTC' })
  assert.equal(await left(), '2')
})

test('each company spends its own allowance', async (t) => {
  const { majlis, api } = await boot(t, { dailyLimit: 1 })
  const other = majlis.seed.company({ dailyLimit: 1 })
  await api.get('/me')
  assert.equal((await api.as((await other.key()).text).get('/me')).status, 200)
})

test('a call spends whatever its answer is: 200, 403, 404 and 422 alike', async (t) => {
  const { majlis, api } = await boot(t)
  const powerless = api.as(await majlis.key({ scope: 'read', operations: [] }))
  const left = async (answer: Promise<Answer>) => rateLimit(await answer)[1]
  assert.equal(await left(api.get('/me')), '999')
  assert.equal(await left(powerless.get('/me')), '998')
  assert.equal(await left(api.get('/projects/none')), '997')
  assert.equal(await left(api.get('/nowhere')), '996')
  assert.equal(await left(api.post('/projects', {})), '995')
})

test('a call with a bad key, and one while the flag is off, spend nothing', async (t) => {
  const { majlis, api } = await boot(t)
  await api.as('svc_api_nonsense').get('/me')
  majlis.set({ restApi: false })
  const hidden = await api.get('/me')
  assertRefused(hidden, 404, 'not_found')
  assert.deepEqual(rateLimit(hidden).slice(0, 2), ['1000', '1000'])
  majlis.set({ restApi: true })
  assert.equal(rateLimit(await api.get('/me'))[1], '999')
})

test('exactly the allowance is served when more calls arrive at once', async (t) => {
  const { majlis, api } = await boot(t, { dailyLimit: 50, storage: 'folder' })
  const keys = [await majlis.key(everything), await majlis.key(everything)]
  const calls = Array.from({ length: 120 }, (_, i) => {
    const caller = api.as(keys[i % 2] ?? null)
    return i % 3 === 0 ? caller.post('/projects', { name: `P${i}` }) : caller.get('/me')
  })
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status < 300).length, 50)
  assert.equal(statuses.filter((status) => status === 429).length, 70)
})
