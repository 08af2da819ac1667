import assert from 'node:assert/strict'
import { type ChildProcess, fork, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Reply } from '../../src/pdf/process.ts'
import { TYPESETTER_MARK } from '../../src/pdf/typesetter-mark.ts'
import { hasPoppler, textOf } from './poppler.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

test('the bundle has a typesetter that works', async (t) => {
  const file = join(checkout, 'dist/typesetter.js')
  assert.ok(existsSync(file), 'node build.mjs bundle')
  await assertSets(t, fork(file, { env: {}, serialization: 'advanced' }))
})

test('without an addon for this machine the typesetter says so, and ends no one', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'majlis-typesetter-'))
  t.after(() => rmSync(home, { recursive: true }))
  cpSync(join(checkout, 'dist'), home, { recursive: true, filter: (file) => !/majlis$/.test(file) })
  writeFileSync(join(home, 'package.json'), '{"type":"module"}')
  const child = fork(join(home, 'typesetter.js'), { env: {}, serialization: 'advanced' })
  t.after(() => child.kill('SIGKILL'))
  const [greeting] = await once(child, 'message')
  assert.match(greeting.broken, /Cannot find package '@myriaddreamin/)
})

test('the executable is its own typesetter, alone in a folder', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'majlis-typesetter-'))
  t.after(() => rmSync(home, { recursive: true }))
  const executable = join(home, 'majlis')
  const built = spawnSync(process.execPath, ['build.mjs', 'executable', executable], {
    cwd: checkout,
    encoding: 'utf8',
  })
  assert.equal(built.status, 0, built.stderr)
  const native = join(home, 'native')
  const options: SpawnOptions = {
    cwd: home,
    env: { [TYPESETTER_MARK]: 'yes', MAJLIS_NATIVE: native },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  }
  await assertSets(t, spawn(executable, [], options))
  const written = readdirSync(native, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(written.map((name) => basename(name)).at(-1), 'typst.node')
  assert.deepEqual(readdirSync(home).sort(), ['majlis', 'native'])
})

async function assertSets(t: TestContext, child: ChildProcess): Promise<void> {
  t.after(() => child.kill('SIGKILL'))
  const [greeting] = await once(child, 'message')
  assert.deepEqual(greeting, {})
  child.send({ markdown: '# تقرير\n\nHello', title: 'x' })
  const [reply] = (await once(child, 'message')) as [Reply]
  assert.ok(reply.pdf)
  if (hasPoppler(t)) assert.match(textOf(Buffer.from(reply.pdf)), /تقرير\s+Hello/)
  child.disconnect()
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, 'it ends when the server lets go of it')
}
