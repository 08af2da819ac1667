import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import * as v from 'valibot'
import { nameKinds } from '../../src/domain/name-terms.ts'
import type { Sandbox } from '../../src/index.ts'
import { Search } from '../../src/resources/search/shape.ts'
import { boot } from '../support/boot.ts'
import { type Chance, chance } from '../support/chance.ts'

const QUERIES = 5_000
const AT_ONCE = 32
/** A server takes heads of 16 KB. */
const LONG = 15_000
const LONGEST = 20_000

const seed = Number(process.env.MAJLIS_FUZZ_SEED ?? randomInt(2 ** 31))

type Ask = (query: string) => Promise<{ status: number | null; text: string }>

for (const http of ['uws', 'node'] as const) {
  test(`${http}: of ${QUERIES} searches for anything at all none is an error of the server`, async (t) => {
    const faults: string[] = []
    const log = (lines: string) => faults.push(...lines.split('\n').filter(isFault))
    const { majlis } = await boot(t, { http, log, plan: 'enterprise' })
    nameThings(majlis)
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    t.after(() => agent.destroy())
    const ask = asker(majlis, agent, await majlis.key())
    const random = chance(seed)
    let found = 0
    const search = async (query: string): Promise<void> => {
      const { status, text } = await ask(query)
      const answer = status === 200 ? assertShape(query, text) : null
      if (answer === null) assertRefused(query, status, text)
      else if (answer.results.length > 0) found++
    }
    const queries = Array.from({ length: QUERIES }, () => queryString(random))
    const explained = (query: string): Promise<void> =>
      search(query).catch((cause: unknown) => {
        const shown = query.slice(0, 2_000)
        throw new Error(`${cause}, with MAJLIS_FUZZ_SEED=${seed}, at ${shown}`, { cause })
      })
    for (let at = 0; at < QUERIES; at += AT_ONCE) {
      await Promise.all(queries.slice(at, at + AT_ONCE).map(explained))
    }
    assert.deepEqual(faults, [])
    assert.ok(found > QUERIES / 50, `only ${found} searches found anything, with seed ${seed}`)
  })
}

function isFault(line: string): boolean {
  return line.includes('"level":"error"')
}

/** What some of the searches find. */
const things = [
  'أحمد',
  'المدرسة',
  'عبد الله',
  'أبو ظبي',
  'Café NOT near',
  "Sana'a e-mail",
  '#1 ✅ (a)',
]

function nameThings({ seed: { project } }: Sandbox): void {
  for (const name of things) {
    const made = project({ name })
    const list = made.list({ title: name })
    for (let tasks = 0; tasks < 10; tasks++) list.task({ title: `${name} ${tasks}` })
    made.discussion({ title: name })
    made.folder({ name }).link({ name })
  }
}

/** Sends the query as it is, where `fetch` would put it right first. No status: the server hung up. */
function asker({ baseUrl }: Sandbox, agent: Agent, key: string): Ask {
  const { hostname, port, pathname } = new URL(`${baseUrl}/search`)
  return (query) =>
    new Promise((resolve, reject) => {
      const isRefusable = mayBeRefused(query)
      const options = {
        hostname,
        port,
        path: `${pathname}?${query}`,
        headers: { authorization: `Bearer ${key}` },
        // What may be hung up on has a connection of its own, so that no other request goes with it.
        agent: isRefusable ? new Agent() : agent,
      }
      const sent = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? null, text }))
        response.on('error', reject)
      })
      sent.on('error', (error) =>
        isRefusable ? resolve({ status: null, text: '' }) : reject(error),
      )
      sent.end()
    })
}

const Answer = v.strictObject({ data: v.strictObject(Search.entries) })

function assertShape(query: string, text: string): v.InferOutput<typeof Search> {
  const { data } = v.parse(Answer, JSON.parse(text))
  const isCertain = !mayBeRefused(query)
  if (isCertain) assert.equal(data.query, new URLSearchParams(query).get('q') ?? '')
  return data
}

function assertRefused(query: string, status: number | null, text: string): void {
  const isRefusal = status === null || (status >= 400 && status < 500)
  assert.ok(isRefusal && mayBeRefused(query), `${status} ${text}`)
}

/** Too long, or with bytes that no address has: a server is free to hang up, or to read them as it likes. */
function mayBeRefused(query: string): boolean {
  return query.length > LONG || !/^[\x21-\x7e]*$/.test(query)
}

function queryString(random: Chance): string {
  const longest = random.onceIn(50) ? LONGEST : random.onceIn(20) ? LONG - 500 : 300
  const parts = [`q=${sent(random, anything(random, longest)).slice(0, longest)}`]
  if (random.onceIn(10)) parts.push(`q=${sent(random, anything(random, 100))}`)
  if (random.onceIn(20)) parts.shift()
  for (let more = random.below(3); more > 0; more--) {
    if (random.onceIn(2)) parts.push(`per_type=${oneOf(random, numbers)}`)
    else parts.push(`types${random.onceIn(3) ? '[]' : ''}=${typesSoup(random)}`)
  }
  return (random.onceIn(2) ? parts : parts.reverse()).join('&')
}

const numbers = [
  ...['0', '1', '5', '25', '26', '-1', '+3', '2.9', '1e9', 'NaN', 'Infinity', '0x10', '%D9%A5'],
  ...['', '%00', '1,2', '%205', '9'.repeat(400), `-${'9'.repeat(40)}`, '1;drop', '[]', '%ff'],
]

function typesSoup(random: Chance): string {
  const some = [...nameKinds, '', 'TASK', 'unknown', '*', '%00', '%ff', '__proto__', "'", 'task%20']
  const few = random.onceIn(40) ? 800 : random.below(5)
  return Array.from({ length: few }, () => oneOf(random, some)).join(random.onceIn(4) ? '%2C' : ',')
}

/** So many bytes at most, more or less. */
function anything(random: Chance, most: number): Buffer {
  const length = 1 + random.below(random.onceIn(3) ? most : 30)
  const kinds = [codePoints, bytes, syntax, words, words, repeated, marks, signs]
  const part = (): Buffer => oneOf(random, kinds)(random, length)
  return random.onceIn(3) ? Buffer.concat([part(), Buffer.from(' '), part()]) : part()
}

/** From all planes, and halves of pairs as no UTF-8 has them. */
function codePoints(random: Chance, length: number): Buffer {
  const limit = oneOf(random, [0x20, 0x100, 0x800, 0x10000, 0x110000])
  const start = oneOf(random, [0, 0, 0x600, 0xd700, 0xfb50, 0xfff0, 0x1f1e6, 0xe0000])
  const encoded = (): number[] => {
    const code = Math.min(start + random.below(limit), 0x10ffff)
    if (code < 0xd800 || code > 0xdfff) return [...Buffer.from(String.fromCodePoint(code))]
    return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
  }
  return Buffer.from(Array.from({ length }, encoded).flat())
}

function bytes(random: Chance, length: number): Buffer {
  const some = [0, 0x28, 0x80, 0xbf, 0xc0, 0xc3, 0xd9, 0xed, 0xf0, 0xf4, 0xff]
  const isAny = random.onceIn(2)
  return Buffer.from(
    Array.from({ length }, () => (isAny ? random.below(256) : oneOf(random, some))),
  )
}

/** Of SQLite's full-text search, and other things that are syntax somewhere. */
function syntax(random: Chance, length: number): Buffer {
  const signs = ['"', '""', "'", '*', '^', ':', '{', '}', '-', '+', '(', ')', ',', '\\', ';', '%']
  const tokens = ['AND', 'OR', 'NOT', 'NEAR(', 'NEAR(a b, 5)', 'terms:', 'names', '{terms} :', 'a*']
  const some = [
    ...signs,
    ...tokens,
    ' ',
    ' ',
    'rowid',
    '--',
    '\0',
    'أحمد',
    '00001a',
    '$1',
    '?',
    '@a',
  ]
  return text(Array.from({ length }, () => oneOf(random, some)).join(random.onceIn(2) ? ' ' : ''))
}

/** Many that differ, or some that are there. */
function words(random: Chance, length: number): Buffer {
  const isThere = random.onceIn(2)
  const word = (_: unknown, at: number): string =>
    isThere
      ? oneOf(random, things).slice(0, 1 + random.below(9))
      : (at + random.below(3)).toString(36)
  return text(Array.from({ length: isThere ? 1 + random.below(4) : length }, word).join(' '))
}

function repeated(random: Chance, length: number): Buffer {
  const some = [
    'أبو ',
    'أبو',
    'عبد ',
    'عبد ال',
    'الدين ',
    'ال',
    'لل',
    'ا',
    "a'",
    'a-',
    '🇸',
    '👨‍👩‍👧',
    'ﷺ',
    '´',
  ]
  return text(oneOf(random, some).repeat(length))
}

/** Without anything that they could stand on. */
function marks(random: Chance, length: number): Buffer {
  const some = [0x300, 0x36f, 0x483, 0x64b, 0x652, 0x670, 0x6df, 0x94d, 0x20dd, 0xfe0f, 0x1d165]
  return text(String.fromCodePoint(...Array.from({ length }, () => oneOf(random, some))))
}

/** All different, and none of them a letter. */
function signs(random: Chance, length: number): Buffer {
  const start = oneOf(random, [0x21, 0x2010, 0x2200, 0xe000, 0xf0000])
  return text(String.fromCodePoint(...Array.from({ length }, (_, at) => start + at)))
}

function text(of: string): Buffer {
  return Buffer.from(of)
}

/** Percent-encoded, or not where a server may take it as it is, and at times with a `%` that encodes nothing. */
function sent(random: Chance, raw: Buffer): string {
  const isBare = random.onceIn(20)
  const isBroken = random.onceIn(20)
  const space = oneOf(random, ['+', '%20'])
  const plain = isBare ? /[^\x00-\x20&%]/ : /[A-Za-z0-9._~*'()-]/
  const encoded = (byte: number): string => {
    const character = String.fromCharCode(byte)
    if (isBroken && random.onceIn(10)) return oneOf(random, ['%', '%zz', '%u0041', '%4'])
    if (plain.test(character)) return character
    return byte === 0x20 ? space : `%${byte.toString(16).padStart(2, '0')}`
  }
  return Array.from(raw, encoded).join('')
}

function oneOf<T>(random: Chance, from: readonly T[]): T {
  return random.pick(from) as T
}
