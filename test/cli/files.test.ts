import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { type FileWorld, fileWorld } from '../support/served-files.ts'
import { eventually, storedIn } from '../support/stored.ts'

interface Check {
  check: string
  ok: boolean
  detail: string
}

async function checked({ run }: FileWorld): Promise<{ ok: boolean; of(name: string): Check }> {
  const { code, json } = await run('check')
  assert.equal(code, json.ok ? 0 : 1)
  return {
    ok: json.ok,
    of: (name) => json.checks.find(({ check }: Check) => check === name),
  }
}

const LIST = 'infected-sha256.txt'

test('a server with the builtin scanner says at start, and check says, that it is no antivirus', async (t) => {
  const world = await fileWorld(t)
  assert.match(world.stderr(), /no antivirus/)
  writeFileSync(join(world.data, LIST), `${'a'.repeat(64)}  Worm\n`)
  const { ok, of } = await checked(world)
  assert.equal(ok, true)
  assert.match(of('virus scanner').detail, /no antivirus.*clamd.* 1 digest is listed/)
  writeFileSync(join(world.data, LIST), 'nonsense\n')
  const broken = await checked(world)
  assert.equal(broken.of('virus scanner').ok, false)
  assert.match(broken.of('virus scanner').detail, /line 1/)
})

test('what the list of digests names is infected, also while the server runs', async (t) => {
  const world = await fileWorld(t)
  const before = await world.upload('a.txt', 'bad thing')
  await world.becomes(before, 'clean')
  writeFileSync(
    join(world.data, LIST),
    `# mine\n${hash('sha256', 'bad thing', 'hex')}  Bad.Thing\n`,
  )
  const after = await world.upload('a.txt', 'bad thing')
  await world.becomes(after, 'infected')
  assert.match(world.stderr(), /Bad\.Thing/)
  assert.equal((await world.download(after)).status, 403)
})

test('file rescan makes the running server look again: in and out of quarantine', async (t) => {
  const world = await fileWorld(t)
  const file = await world.upload('a.txt', 'bad thing')
  await world.becomes(file, 'clean')
  writeFileSync(join(world.data, LIST), hash('sha256', 'bad thing', 'hex'))
  const { code, json } = await world.run('file', 'rescan', file.ref)
  assert.equal(code, 0)
  assert.deepEqual(json, {
    rescan: true,
    file: { id: file.id, ref: file.ref, name: 'a.txt', scan_state: 'pending' },
  })
  await world.becomes(file, 'infected')
  await eventually(() => assert.equal(storedIn({ folder: world.data }, 'quarantine').length, 1))
  rmSync(join(world.data, LIST))
  await world.run('file', 'rescan', file.ref)
  await world.becomes(file, 'clean')
  assert.deepEqual(storedIn({ folder: world.data }, 'quarantine'), [])
  assert.equal((await world.download(file)).bytes.toString(), 'bad thing')
  const audit = (await world.run('audit', 'list', '--company', '1')).json
  assert.equal(
    audit.filter((row: Record<string, unknown>) => row.operation === 'files:rescan').length,
    2,
  )
})

test('file rescan refuses what is no upload, and says what to give', async (t) => {
  const world = await fileWorld(t)
  const { ref } = (
    await world
      .api()
      .post(`/projects/${world.project}/links`, { name: 'L', url: 'https://x.example' })
  ).data
  for (const [words, code, message] of [
    [[ref], 1, /is a link/],
    [['fil-0000000000'], 1, /no file fil-0000000000/],
    [[], 2, /REF/],
  ] as const) {
    const refused = await world.run('file', 'rescan', ...words)
    assert.equal(refused.code, code)
    assert.match(refused.stderr, message)
    assert.equal(refused.stderr.trim().split('\n').length, 1)
  }
})

test('with --scanner none an upload is skipped and downloadable, and never called clean', async (t) => {
  const world = await fileWorld(t, '--scanner', 'none')
  assert.match(world.stderr(), /not scanned/)
  const file = await world.upload('a.txt', 'a')
  assert.deepEqual([file.scan_state, file.downloadable], ['pending', false])
  await world.becomes(file, 'skipped')
  assert.equal((await world.download(file)).status, 200)
  assert.match((await checked(world)).of('virus scanner').detail, /not scanned/)
})

test('without a scanner nothing leaves quarantine, and nothing is scanned again', async (t) => {
  const world = await fileWorld(t)
  writeFileSync(join(world.data, LIST), hash('sha256', 'bad thing', 'hex'))
  const file = await world.upload('a.txt', 'bad thing')
  await world.becomes(file, 'infected')
  await world.start('--scanner', 'none')
  const refused = await world.run('file', 'rescan', file.ref)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /scans nothing/)
  await world.stop()
  const db = new Database(join(world.data, 'majlis.db'))
  db.exec(`update files set scan_state = 'pending'`)
  db.close()
  await world.start('--scanner', 'none')
  await world.becomes(file, 'infected')
  assert.equal((await world.download(file)).status, 403)
  assert.equal(storedIn({ folder: world.data }, 'quarantine').length, 1)
})

test('check names what lies on the wrong side of quarantine', async (t) => {
  const world = await fileWorld(t)
  const file = await world.upload('a.txt', 'abc')
  await world.becomes(file, 'clean')
  const [name = ''] = storedIn({ folder: world.data }, 'files')
  const places = [join(world.data, 'files', name), join(world.data, 'quarantine', name)] as const
  renameSync(...places)
  assert.match((await checked(world)).of('bytes of files').detail, /lies in quarantine.*rescan/)
  await world.stop()
  renameSync(places[1], places[0])
  const db = new Database(join(world.data, 'majlis.db'))
  db.exec(`update files set scan_state = 'infected'`)
  db.close()
  assert.match((await checked(world)).of('bytes of files').detail, /infected and not in quarantine/)
})

test('what waits for a scanner that is not there is scanned after a restart, also after kill -9', async (t) => {
  const world = await fileWorld(t, '--scanner', 'clamd:/nowhere/clamd.sock')
  const file = await world.upload('a.txt', 'a')
  await eventually(() => assert.match(world.stderr(), /could not be scanned/))
  assert.match(world.stderr(), /\/nowhere\/clamd\.sock does not answer \(ENOENT\)/)
  assert.equal(await world.stateOf(file), 'pending')
  const { ok, of } = await checked(world)
  assert.equal(ok, false)
  assert.match(of('virus scanner').detail, /ENOENT/)
  assert.match(of('scans').detail, /1 upload waits for a scan; the last try failed: .*ENOENT/)
  await world.stop('SIGKILL')
  await world.start()
  await world.becomes(file, 'clean')
})

test('a pending file whose job was lost is found by check, and scanned after the next start', async (t) => {
  const world = await fileWorld(t, '--scanner', 'clamd:/nowhere/clamd.sock')
  const file = await world.upload('a.txt', 'a')
  await world.stop()
  const db = new Database(join(world.data, 'majlis.db'))
  db.exec('delete from jobs')
  db.close()
  assert.equal((await checked(world)).of('scans').ok, false)
  await world.start()
  await world.becomes(file, 'clean')
})

test('check finds bytes that are missing, cut short, changed, or nobody`s, and changes nothing', async (t) => {
  const world = await fileWorld(t)
  const file = await world.upload('a.txt', 'abc')
  await world.becomes(file, 'clean')
  assert.equal((await checked(world)).ok, true)
  const [name = ''] = storedIn({ folder: world.data }, 'files')
  const path = join(world.data, 'files', name)
  for (const [content, detail] of [
    ['ab', `${file.ref} has 2 bytes instead of 3`],
    ['abd', `${file.ref} has other bytes`],
  ] as const) {
    writeFileSync(path, content)
    const { ok, of } = await checked(world)
    assert.deepEqual([ok, of('bytes of files').ok], [false, false])
    assert.match(of('bytes of files').detail, new RegExp(detail))
  }
  const stray = join(world.data, 'quarantine', 'f'.repeat(32))
  renameSync(path, stray)
  const { of } = await checked(world)
  assert.match(of('bytes of files').detail, new RegExp(`${file.ref} has no bytes`))
  assert.match(of('stored bytes').detail, /f{32}/)
  assert.equal(readFileSync(stray, 'utf8'), 'abd')
})

test('orphans are swept at start, and what rows name stays', async (t) => {
  const world = await fileWorld(t)
  const file = await world.upload('a.txt', 'abc')
  await world.becomes(file, 'clean')
  await world.stop('SIGKILL')
  const files = join(world.data, 'files')
  writeFileSync(join(files, 'a'.repeat(32)), 'orphan')
  writeFileSync(join(files, `${'b'.repeat(32)}.part`), 'half')
  await world.start()
  assert.equal(readdirSync(files).filter((name) => !name.startsWith('.')).length, 1)
  assert.equal((await world.download(file)).bytes.toString(), 'abc')
})

test('a lost database does not take the files along: they stay, and the operator is told', async (t) => {
  const world = await fileWorld(t)
  await world.becomes(await world.upload('a.txt', 'abc'), 'clean')
  await world.stop()
  for (const name of readdirSync(world.data)) {
    if (name.startsWith('majlis.db')) rmSync(join(world.data, name))
  }
  await world.start()
  assert.match(world.stderr(), /do not say whose|another database/)
  assert.equal((await checked(world)).of('files and database').ok, false)
  assert.equal(storedIn({ folder: world.data }, 'files').length, 1)
})
