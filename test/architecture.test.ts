import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../src', import.meta.url))

interface Import {
  from: string
  to: string
  isType: boolean
}

function imports(): Import[] {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((f) =>
    f.endsWith('.ts'),
  )
  return files.flatMap((from) => {
    const text = readFileSync(join(src, from), 'utf8')
    const found = text.matchAll(
      /^(?:import|export)\s+(type\s)?[^'"]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gms,
    )
    return [...found].map(([, type, written, dynamic]) => ({
      from,
      to: relative(src, join(src, dirname(from), (written ?? dynamic) as string)),
      isType: type !== undefined,
    }))
  })
}

const all = imports()
const room = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : file)

function offenders(rule: (edge: Import) => boolean): string[] {
  return all.filter(rule).map(({ from, to }) => `${from} -> ${to}`)
}

test('the imports were found', () => {
  assert.ok(all.length > 100, `${all.length} imports`)
})

test('domain imports nothing from outside domain', () => {
  assert.deepEqual(
    offenders(({ from, to }) => room(from) === 'domain' && room(to) !== 'domain'),
    [],
  )
})

test('db imports domain and the assets only', () => {
  const allowed = ['db', 'domain', 'assets.ts']
  assert.deepEqual(
    offenders(({ from, to }) => room(from) === 'db' && !allowed.includes(room(to))),
    [],
  )
})

for (const [name, allowed] of [
  ['scan', ['scan', 'domain']],
  ['caldav', ['caldav', 'domain']],
  ['icalendar', ['icalendar', 'domain']],
  ['mail', ['mail', 'icalendar', 'domain']],
  ['secrets', ['secrets', 'domain']],
  ['storage', ['storage', 'domain', 'db']],
  ['pdf', ['pdf', 'domain', 'assets.ts', 'native.ts']],
] as const) {
  test(`${name} imports ${allowed.slice(1).join(', ')} only`, () => {
    const isForeign = (to: string) => !(allowed as readonly string[]).includes(room(to))
    assert.deepEqual(
      offenders(({ from, to }) => room(from) === name && isForeign(to)),
      [],
    )
  })
}

test('workers use stores and ports, never handlers, gates or the transport', () => {
  const foreign = /\/routes\.ts$|^routes\.ts|^gates|^http|^admin/
  assert.deepEqual(
    offenders(({ from, to }) => room(from) === 'workers' && foreign.test(to)),
    [],
  )
})

test('http imports no room of the resources', () => {
  assert.deepEqual(
    offenders(({ from, to }) => room(from) === 'http' && room(to) === 'resources'),
    [],
  )
})

test("a room uses another room's store or shape, never its routes", () => {
  const isRoutes = (file: string) => /^resources\/\w+\/routes\.ts$/.test(file)
  assert.deepEqual(
    offenders(({ from, to }) => isRoutes(to) && from !== 'routes.ts'),
    [],
  )
})

test('administration uses stores, never handlers, gates or the transport', () => {
  const foreign = /\/routes\.ts$|^routes\.ts|^gates|^http/
  assert.deepEqual(
    offenders(({ from, to }) => room(from) === 'admin' && foreign.test(to)),
    [],
  )
})

test('nothing below imports the application, the command line or the sandbox', () => {
  const above = ['app.ts', 'server.ts', 'main.ts', 'cli', 'sandbox', 'index.ts']
  const ports = ['storage', 'scan', 'pdf', 'caldav', 'icalendar', 'mail', 'secrets', 'workers']
  const below = ['domain', 'db', 'http', 'gates', 'resources', 'openapi', 'admin', ...ports]
  assert.deepEqual(
    offenders(({ from, to }) => below.includes(room(from)) && above.includes(room(to))),
    [],
  )
})

test('only the files of its transport know uWebSockets.js', () => {
  const knowing = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      /from 'uWebSockets\.js'|import\('uWebSockets\.js'\)/.test(
        readFileSync(join(src, file), 'utf8'),
      ),
  )
  assert.ok(knowing.includes('http/uws.ts'))
  assert.deepEqual(
    knowing.filter((file) => !/^http\/uws[\w-]*\.ts$/.test(file)),
    [],
  )
})

test('nothing but the clock asks the machine what time it is', () => {
  const asking = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      /Date\.now\(\)|new Date\(\)/.test(readFileSync(join(src, file), 'utf8')),
  )
  assert.deepEqual(asking.sort(), ['clock.ts', 'sandbox/start.ts'])
})
