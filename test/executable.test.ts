import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, suite, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hasProgram } from './support/component.ts'

const checkout = fileURLToPath(new URL('..', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'majlis-executable-'))
const executable = join(home, 'majlis')

/** Root may write everywhere, so it becomes nobody where a right must be missing. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

suite('the executable, alone in a folder and without an environment', () => {
  before(() => {
    // Other users must reach it in the test of a folder that is not theirs.
    chmodSync(home, 0o755)
    const words = ['build.mjs', 'executable', executable]
    const built = spawnSync(process.execPath, words, { cwd: checkout, encoding: 'utf8' })
    assert.equal(built.status, 0, built.stderr)
    assert.equal(built.stderr, '', 'the build warns of nothing')
  })

  after(() => rmSync(home, { recursive: true, force: true }))

  test('prints help, version and the OpenAPI document, and writes nothing', async (t) => {
    const folder = emptyFolder(t)
    assert.match((await majlis(folder, ['--help'])).stdout, /serve/)
    assert.match((await majlis(folder, ['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
    const { openapi } = JSON.parse((await majlis(folder, ['openapi', '--json'])).stdout)
    assert.match(openapi, /^3\.1/)
    assert.deepEqual(readdirSync(folder), [])
  })

  test('makes no folder for a command that finds no data', async (t) => {
    const folder = emptyFolder(t)
    const { code, stderr } = await majlis(folder, ['check'])
    assert.equal(code, 1)
    assert.match(stderr, /There is no Majlis data/)
    assert.deepEqual(readdirSync(folder), [])
  })

  test('makes no folder for a server whose port is taken', async (t) => {
    const folder = emptyFolder(t)
    const other = createServer().listen(0, '127.0.0.1')
    t.after(() => other.close())
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const { code, stderr } = await majlis(folder, ['serve', '--port', String(port)])
    assert.equal(code, 1)
    assert.match(stderr, /is in use/)
    assert.deepEqual(readdirSync(folder), [])
  })

  for (const http of ['uws', 'node']) {
    test(`begins a company and serves it over ${http} until SIGTERM`, async (t) => {
      const folder = emptyFolder(t)
      const key = await beginCompany(folder)
      await useOnce(t, folder, key, ['--http', http])
      assert.equal((await majlis(folder, ['check'])).code, 0)
      const addons = writtenOut(folder).map((file) => basename(file))
      const needed = ['argon2.node', 'better_sqlite3.node']
      assert.deepEqual(addons.sort(), http === 'uws' ? [...needed, 'uws.node'] : needed)
    })
  }

  test('keeps its addons where only this user may write', async (t) => {
    const folder = emptyFolder(t)
    await majlis(folder, ['company', 'create', '--name', 'X'])
    const [file = ''] = writtenOut(folder)
    for (const path of [file, dirname(file), join(folder, 'data/native')]) {
      assert.equal(statSync(path).mode & 0o777, 0o700)
    }
  })

  test('opens no file of the checkout or of any node_modules', async (t) => {
    const folder = emptyFolder(t)
    const trace = join(home, 'trace')
    const words = ['-f', '-e', 'trace=%file', '-o', trace, executable]
    if (!hasProgram(t, 'strace', 'strace')) return
    const { status } = spawnSync('strace', [...words, 'company', 'create', '--name', 'X'], {
      cwd: folder,
      env: { PATH: process.env.PATH },
    })
    assert.equal(status, 0)
    const calls = readFileSync(trace, 'utf8').split('\n')
    assert.ok(calls.some((call) => call.includes('better_sqlite3.node')))
    const strange = calls.filter((call) => call.includes(checkout) || call.includes('node_modules'))
    assert.deepEqual(strange, [])
  })

  test('replaces a damaged addon instead of loading it', async (t) => {
    const folder = emptyFolder(t)
    const key = await beginCompany(folder)
    await useOnce(t, folder, key)
    const files = writtenOut(folder)
    const whole = files.map((file) => readFileSync(file))
    const [first = '', second = '', third = ''] = files
    truncateSync(first, 4096)
    writeFileSync(second, 'no addon')
    rmSync(third)
    const damaged = statSync(first).ino
    await useOnce(t, folder, key)
    assert.notEqual(statSync(first).ino, damaged, 'who has loaded the old file keeps it')
    assert.deepEqual(writtenOut(folder), files, 'no temporary file stays behind')
    assert.ok(files.every((file, i) => readFileSync(file).equals(whole[i] as Buffer)))
  })

  test('ten first starts at once all work', async (t) => {
    const folder = emptyFolder(t)
    const names = Array.from({ length: 10 }, (_, i) => `Company ${i}`)
    const answers = await Promise.all(
      names.map((name) => majlis(folder, ['company', 'create', '--name', name, '--json'])),
    )
    assert.deepEqual(
      answers.map(({ code, stderr }) => ({ code, stderr })),
      names.map(() => ({ code: 0, stderr: '' })),
    )
    const list = await succeed(folder, ['company', 'list', '--json'])
    assert.equal(JSON.parse(list).length, 10)
    assert.equal(writtenOut(folder).length, 1)
  })

  test('MAJLIS_NATIVE names another folder for the addons, which may be read-only once filled', async (t) => {
    const [folder, native] = [emptyFolder(t), emptyFolder(t)]
    for (const path of [folder, native]) chmodSync(path, 0o777)
    const around = { ...unprivileged, env: { MAJLIS_NATIVE: native } }
    assert.equal((await majlis(folder, ['company', 'create', '--name', 'X'], around)).code, 0)
    assert.equal(existsSync(join(folder, 'data/native')), false)
    const [hash = ''] = readdirSync(native)
    for (const path of [join(native, hash), native]) chmodSync(path, 0o555)
    const list = await majlis(folder, ['company', 'list'], around)
    assert.equal(list.code, 0, list.stderr)
  })

  for (const words of [
    ['company', 'create', '--name', 'X'],
    ['serve', '--port', '0'],
  ]) {
    test(`'majlis ${words[0]}' says in a sentence that a file is in the place of the native folder`, async (t) => {
      const folder = emptyFolder(t)
      const env = { MAJLIS_NATIVE: join(folder, 'occupied') }
      writeFileSync(env.MAJLIS_NATIVE, '')
      const ended = await majlis(folder, words, { env })
      assertOneSentence(
        ended,
        /cannot write its native addons to \S+\/occupied \(ENOTDIR\).*MAJLIS_NATIVE/,
      )
    })

    test(`'majlis ${words[0]}' says in a sentence that the native folder is another user's`, async (t) => {
      const [folder, native] = [emptyFolder(t), emptyFolder(t)]
      chmodSync(native, 0o555)
      chmodSync(folder, 0o777)
      const ended = await majlis(folder, words, { ...unprivileged, env: { MAJLIS_NATIVE: native } })
      assertOneSentence(ended, /cannot write its native addons to \S+ \(EACCES\).*MAJLIS_NATIVE/)
    })

    test(`'majlis ${words[0]}' says in a sentence that the native folder is mounted noexec`, async (t) => {
      const folder = emptyFolder(t)
      const native = join(folder, 'noexec')
      mkdirSync(native)
      const mount = [
        '-rm',
        'sh',
        '-c',
        `mount -t tmpfs -o noexec none ${native} && exec "$@"`,
        'sh',
      ]
      const path = { PATH: process.env.PATH ?? '' }
      if (spawnSync('unshare', [...mount, 'true'], { env: path }).status !== 0) {
        return t.skip('this user may not mount a file system, not even in a namespace of its own')
      }
      const ended = await run('unshare', [...mount, executable, ...words], {
        cwd: folder,
        env: { ...path, MAJLIS_NATIVE: native },
      })
      assertOneSentence(ended, /cannot load its native addons from .*noexec.*MAJLIS_NATIVE/)
    })
  }
})

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

interface Surroundings {
  cwd?: string
  env?: Record<string, string>
  input?: string
  uid?: number
  gid?: number
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(home, 'empty-'))
  chmodSync(folder, 0o755)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function majlis(cwd: string, words: string[], around: Surroundings = {}): Promise<Ended> {
  return run(executable, words, { cwd, ...around })
}

async function run(program: string, words: string[], around: Surroundings): Promise<Ended> {
  const { input = '', ...options } = around
  const child = spawn(program, words, { env: {}, ...options })
  child.stdin.end(input)
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exitOf(child),
  ])
  return { code, stdout, stderr }
}

async function succeed(cwd: string, words: string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await majlis(cwd, words, { input })
  assert.equal(code, 0, stderr)
  return stdout
}

/** A company, its owner and a key, from an empty folder: the text of the key. */
async function beginCompany(cwd: string): Promise<string> {
  const company = ['company', 'create', '--name', 'ديوان', '--rest-api', 'on', '--json']
  const { id } = JSON.parse(await succeed(cwd, company))
  const email = 'owner@example.com'
  const owner = ['--name', 'Owner', '--email', email, '--role', 'owner', '--json']
  await succeed(cwd, ['user', 'create', '--company', String(id), ...owner])
  const signed = ['--creator', email, '--name', 'Key', '--json']
  return JSON.parse(await succeed(cwd, ['key', 'create', '--company', String(id), ...signed])).key
}

/** Serves, answers one request with the key and one without, and ends. */
async function useOnce(t: TestContext, cwd: string, key: string, flags: string[] = []) {
  const child = spawn(executable, ['serve', '--port', '0', '--json', ...flags], { cwd, env: {} })
  t.after(() => child.kill('SIGKILL'))
  const stderr = text(child.stderr)
  const exit = exitOf(child)
  const greeting = await Promise.race([
    once(child.stdout, 'data').then(String),
    exit.then(async () => assert.fail(await stderr)),
  ])
  const address = `${JSON.parse(greeting).base_url}/projects`
  const reply = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(reply.status, 200)
  assert.deepEqual(((await reply.json()) as { data: unknown }).data, [])
  assert.equal((await fetch(address)).status, 401)
  child.kill('SIGTERM')
  assert.equal(await exit, 0)
  const troubles = (await stderr).match(/"level":"(?:warn|error)".*/g)
  assert.equal(troubles?.length, 1, 'the builtin scanner says that it is none')
  assert.match(troubles[0], /no antivirus/)
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
}

function writtenOut(folder: string): string[] {
  return readdirSync(join(folder, 'data/native'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.path, entry.name))
    .sort()
}

function assertOneSentence({ code, stdout, stderr }: Ended, sentence: RegExp): void {
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, sentence)
  assert.equal(stderr.split('\n').length, 2, stderr)
}
