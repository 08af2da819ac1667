import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { writes } from '../../src/http/route.ts'
import type { Sandbox } from '../../src/index.ts'
import { routes } from '../../src/routes.ts'
import { boot } from '../support/boot.ts'
import type { Answer } from '../support/client.ts'
import { lookInto } from '../support/database.ts'
import {
  type Address,
  everyAddress,
  fill,
  goodBody,
  goodStatus,
  missing,
  populate,
  refsOf,
} from '../support/routes.ts'

/**
 * contract: Order of checks. Everything that can refuse a call holds at once; then one cause after the other is taken
 * away, and each time the next one in the order must answer.
 */
interface Step {
  cause: string
  answers: string
  spends: boolean
  appliesTo(address: Address): boolean
  lift(world: World): unknown
}

const always = () => true
const isWrite = ({ route }: Address) => writes(route)
const isOfProject = ({ path }: Address) => path.includes('{') && !path.includes('{event_id}')
const isAddressed = ({ path }: Address) => path.includes('{')

const steps: Step[] = [
  step(
    'too many calls from one address',
    '429 burst of 2',
    false,
    always,
    (w) => (w.ip = '203.0.113.2'),
  ),
  step('too many calls with one key', '429 burst of 3', false, always, (w) => w.nextMinute()),
  step('a revoked key', '401 unauthorized', false, always, (w) => (w.key = w.keys.powerless)),
  step('the flag is off', '404 not_found', false, always, (w) => w.set({ restApi: true })),
  step('a plan without API', '403 plan_upgrade_required', false, always, (w) =>
    w.set({ plan: 'advanced' }),
  ),
  step('a spent allowance', '429 rate_limit_exceeded', false, always, (w) =>
    w.set({ dailyLimit: null }),
  ),
  step('no such endpoint', '404 unknown_endpoint', true, always, (w) => (w.method = null)),
  step(
    'an operation that the key lacks',
    '403 forbidden',
    true,
    always,
    (w) => (w.key = w.keys.rightless),
  ),
  step(
    'a plan without the feature',
    '403 plan_upgrade_required',
    true,
    ({ route }) => route.feature !== undefined,
    (w) => w.set({ plan: 'productive', dailyLimit: 1_000 }),
  ),
  step(
    'a record that is not there',
    '404 not_found',
    true,
    isAddressed,
    (w) => (w.handles = w.real),
  ),
  step('a read-only subscription', '403 forbidden', true, isWrite, (w) =>
    w.set({ readOnly: false }),
  ),
  step(
    'an archived project',
    '403 forbidden',
    true,
    (a) => isWrite(a) && isOfProject(a) && !a.route.worksInArchive,
    (w) => w.unarchive(),
  ),
  step(
    'a missing right',
    '403 forbidden',
    true,
    ({ route }) => route.right !== undefined,
    (w) => (w.key = w.keys.able),
  ),
  step(
    "another person's record",
    '403 forbidden',
    true,
    ({ route }) => route.onlyOwn !== undefined,
    (w) => (w.key = w.keys.makers),
  ),
  step(
    'a body that is no JSON',
    '422 unprocessable_entity',
    true,
    ({ route }) => route.body !== undefined,
    (w) => (w.body = goodBody(w.address.route, w.real)),
  ),
]

for (const address of everyAddress(routes)) {
  test(`${address.title} is refused for the first cause in the order, one after the other`, async (t) => {
    const world = await prepare(t, address)
    for (const { cause, answers, spends, lift } of steps.filter((s) => s.appliesTo(address))) {
      const before = world.footprint()
      const answer = await world.call()
      assert.equal(nameOf(answer), answers, `${cause}: ${answer.text}`)
      const after = world.footprint()
      const denials = answers === '403 forbidden' ? 1 : 0
      assert.equal(after.denials - before.denials, denials, `${cause}: audited as denied`)
      assert.deepEqual(after.records, before.records, `${cause}: nothing else has changed`)
      world.remaining = assertHeaders(answer, cause, spends, world.remaining)
      await lift(world)
    }
    const answer = await world.call()
    assert.equal(answer.status, goodStatus(address.route), answer.text)
    assert.equal(world.footprint().allowed, writes(address.route) ? 1 : 0, 'audited as allowed')
  })
}

/** All that a write of the surface can touch. */
const tables = [
  'projects',
  'project_slugs',
  'project_members',
  'task_lists',
  'task_list_slugs',
  'tasks',
  'task_slugs',
  'task_blocks',
  'comments',
  'discussions',
  'folders',
  'files',
  'discarded_bytes',
  'jobs',
  'events',
  'event_people',
  'event_counts',
  'discussion_slugs',
  'discussion_subscribers',
  'timeline_entries',
  'notifications',
  'names_docsize',
  'names_to_clear',
]

type World = Awaited<ReturnType<typeof prepare>>

async function prepare(t: TestContext, address: Address) {
  const { majlis, api } = await boot(t, {
    storage: 'folder',
    burstPerIp: 2,
    burstPerKey: 3,
    trustProxy: true,
    restApi: true,
    dailyLimit: 1,
  })
  const { route } = address
  // Made by another person, so that no right is given by ownership.
  const other = majlis.seed.user({ email: 'other@company1.example' })
  const records = populate(majlis.company, { by: other.email })
  const archived = records.project.archive()
  const operations = [route.operation]
  const revoked = await majlis.company.key()
  const keys = {
    powerless: await majlis.key({ scope: 'write', operations: [] }),
    rightless: await majlis.key({ scope: 'write', operations }),
    able: await majlis.key({
      scope: 'write',
      operations,
      ...(route.right ? { rights: [route.right] } : {}),
    }),
    makers: await majlis.key({ scope: 'write', operations, creator: other.email }),
  }
  // Spends the one call of the day, and then the burst of this minute.
  await api.as(keys.able).with({ 'x-forwarded-for': '203.0.113.9' }).get('/me')
  revoked.revoke()
  majlis.set({ restApi: false, plan: 'free', readOnly: true })
  for (let i = 0; i < 2; i++) {
    await api.as(revoked.text).with({ 'x-forwarded-for': '203.0.113.1' }).get('/me')
  }
  await api.as(revoked.text).with({ 'x-forwarded-for': '203.0.113.3' }).get('/me')

  const world = {
    address,
    keys,
    remaining: null as number | null,
    ip: '203.0.113.1',
    key: revoked.text,
    method: 'PUT' as string | null,
    handles: missing,
    real: refsOf(records),
    body: (route.body === undefined ? undefined : '{"name": ') as unknown,
    set: majlis.set,
    unarchive: archived.unarchive,
    nextMinute: () => majlis.clock.advance({ minutes: 1 }),
    call(): Promise<Answer> {
      if (world.ip === '203.0.113.2' && world.key !== revoked.text) world.nextMinute()
      const method = world.method ?? route.method
      const body = method === 'GET' ? undefined : world.body
      return api
        .as(world.key)
        .with({ 'x-forwarded-for': world.ip })
        .send(method, fill(address.path, world.handles), body)
    },
    footprint: () => ({
      denials: count(majlis, "audit_entries where outcome = 'denied'"),
      allowed: count(majlis, "audit_entries where outcome = 'allowed' and method <> 'CLI'"),
      records: tables.map((table) => lookInto(majlis, `select * from ${table}`)),
    }),
  }
  return world
}

function step(
  cause: string,
  answers: string,
  spends: boolean,
  appliesTo: Step['appliesTo'],
  lift: Step['lift'],
): Step {
  return { cause, answers, spends, appliesTo, lift }
}

function nameOf({ status, body, code }: Answer): string {
  if (typeof body.error !== 'string') return `${status} ${code}`
  return `${status} burst of ${/at most (\d+)/.exec(body.error)?.[1]}`
}

/** Answers the calls that are left, where the answer tells. */
function assertHeaders(
  { status, headers, code }: Answer,
  cause: string,
  spends: boolean,
  before: number | null,
): number | null {
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('x-request-id') ?? '', /^\S+$/)
  assert.equal(headers.has('retry-after'), status === 429, `${cause}: Retry-After on 429 only`)
  const knowsCompany = status !== 401 && !(status === 429 && code === undefined)
  assert.equal(headers.has('x-ratelimit-limit'), knowsCompany, `${cause}: X-RateLimit-Limit`)
  assert.equal(headers.has('x-ratelimit-remaining'), knowsCompany, `${cause}: Remaining`)
  const hasAccess = knowsCompany && headers.get('x-ratelimit-limit') !== '0'
  assert.equal(headers.has('x-ratelimit-reset'), hasAccess, `${cause}: X-RateLimit-Reset`)
  if (!spends) return before
  const left = Number(headers.get('x-ratelimit-remaining'))
  if (before !== null) assert.equal(left, before - 1, `${cause}: spends one call`)
  return left
}

function count(majlis: Sandbox, what: string): number {
  return lookInto<{ n: number }>(majlis, `select count(*) as n from ${what}`)[0]?.n ?? 0
}
