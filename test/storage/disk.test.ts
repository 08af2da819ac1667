import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ServerSettings } from '../../src/db/settings.ts'
import type { ByteSource } from '../../src/domain/byte-source.ts'
import { type KnownBytes, openVault } from '../../src/storage/open.ts'
import { temporaryFolder } from '../support/process.ts'

const NAME = 'ab'.repeat(16)
const nothing: KnownBytes = {
  isNamed: () => false,
  names: () => [],
  infected: () => [],
  lastWriteAt: () => null,
}

function workshop(t: TestContext) {
  const root = temporaryFolder(t)
  const at = (name: string) => join(root, name)
  const folders = { files: at('files'), quarantine: at('quarantine'), orphans: at('orphans') }
  const warnings: string[] = []
  const kept = new Map<string, string>()
  const settings: ServerSettings = {
    read: (name) => kept.get(name),
    write: (name, value) => kept.set(name, value),
  }
  const open = (known: KnownBytes = nothing) =>
    openVault({ folders, settings, known, warn: (text) => warnings.push(text) })
  const list = (place: 'files' | 'quarantine') => readdirSync(folders[place]).sort()
  return { folders, warnings, kept, open, list }
}

async function contentOf(source: ByteSource): Promise<string> {
  try {
    return Buffer.from(await source.read(0, source.size)).toString()
  } finally {
    source.close()
  }
}

test('bytes are kept by a random name, for their owner only, and nothing else is left', async (t) => {
  const { folders, open, list } = workshop(t)
  const stored = await open().put(Buffer.from('مرحبا'))
  assert.match(stored.name, /^[0-9a-f]{32}$/)
  assert.equal(stored.size, 10)
  assert.equal(stored.sha256, '80eff1a750bb540045622ad23c148c8875790515e3f768c77d5dff8c1d221b49')
  assert.deepEqual(list('files'), ['.vault', stored.name])
  assert.equal(readFileSync(join(folders.files, stored.name), 'utf8'), 'مرحبا')
  assert.equal(statSync(join(folders.files, stored.name)).mode & 0o777, 0o600)
})

test('what the disk does not take whole is refused, and leaves nothing', (t) => {
  const { folders, open, list } = workshop(t)
  open()
  const module = new URL('../../src/storage/disk.ts', import.meta.url).href
  const code = `
    import { diskVault } from ${JSON.stringify(module)}
    const vault = diskVault(${JSON.stringify(folders)})
    await vault.put(Buffer.alloc(100_000)).catch((error) => console.log(error.code))`
  const script = join(folders.files, '..', 'put.mjs')
  writeFileSync(script, code)
  // No file of this process may be larger than 8 KB.
  const shell = `trap '' XFSZ; ulimit -f 8; exec "$0" --import "$1" "$2"`
  const words = ['-c', shell, process.execPath, import.meta.resolve('tsx'), script]
  const { stdout, stderr } = spawnSync('bash', words, { encoding: 'utf8' })
  assert.equal(stdout, 'EFBIG\n', stderr)
  assert.deepEqual(list('files'), ['.vault'])
})

test('slices are read from where they are asked for, and a file that has shrunk is a fault', async (t) => {
  const { folders, open } = workshop(t)
  const vault = open()
  const { name } = await vault.put(Buffer.from('abcdef'))
  const source = await vault.open(name)
  assert.equal(Buffer.from(await source.read(2, 3)).toString(), 'cde')
  assert.equal(Buffer.from(await source.read(4, 100)).toString(), 'ef')
  writeFileSync(join(folders.files, name), '')
  await assert.rejects(source.read(0, 3), /shorter/)
  source.close()
})

test('what lies in quarantine can be scanned, but not served, until it is released', async (t) => {
  const { open, list } = workshop(t)
  const vault = open()
  const { name } = await vault.put(Buffer.from('a'))
  await vault.quarantine(name)
  assert.deepEqual([list('files'), list('quarantine')], [['.vault'], [name]])
  await assert.rejects(vault.open(name), /ENOENT/)
  assert.equal(await contentOf(await vault.openAnywhere(name)), 'a')
  await vault.quarantine(name)
  await vault.release(name)
  assert.equal(await contentOf(await vault.open(name)), 'a')
  await vault.release(name)
  await vault.quarantine(name)
  await vault.remove(name)
  await vault.remove(name)
  assert.deepEqual([list('files'), list('quarantine')], [['.vault'], []])
  await assert.rejects(vault.openAnywhere(name), /ENOENT/)
})

test('opening sweeps what no row names and what was never finished, and nothing else', async (t) => {
  const { folders, open, list } = workshop(t)
  const vault = open()
  const kept = await vault.put(Buffer.from('kept'))
  const orphan = await vault.put(Buffer.from('orphan'))
  const isolated = await vault.put(Buffer.from('isolated orphan'))
  await vault.quarantine(isolated.name)
  writeFileSync(join(folders.files, `${NAME}.part`), 'half')
  writeFileSync(join(folders.files, 'README.txt'), "the operator's own")
  open({ ...nothing, isNamed: (name) => name === kept.name })
  assert.deepEqual(list('files'), ['.vault', kept.name, 'README.txt'].sort())
  assert.deepEqual(list('quarantine'), [])
  assert.notEqual(orphan.name, kept.name)
})

test('opening moves what a crash has left infected where it could be served', async (t) => {
  const { open, list } = workshop(t)
  const { name } = await open().put(Buffer.from('bad'))
  open({ ...nothing, isNamed: () => true, infected: () => [name] })
  assert.deepEqual([list('files'), list('quarantine')], [['.vault'], [name]])
  open({ ...nothing, isNamed: () => true, infected: () => [name] })
  assert.deepEqual(list('quarantine'), [name])
})

test('the files of another database are not swept: a lost database does not take them along', async (t) => {
  const { warnings, kept, open, list } = workshop(t)
  const { name } = await open().put(Buffer.from('a'))
  kept.clear()
  open()
  assert.deepEqual(list('files'), ['.vault', name])
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /another database/)
})

test('files that have lost their mark are known by the rows that name them, all or none', async (t) => {
  const { folders, warnings, open, list } = workshop(t)
  const { name } = await open().put(Buffer.from('a'))
  rmSync(join(folders.files, '.vault'))
  open({ ...nothing, isNamed: () => true, names: () => [name, NAME] })
  assert.match(warnings[0] ?? '', /do not say whose they are/)
  assert.doesNotMatch(warnings[0] ?? '', /empty/)
  assert.deepEqual(list('files'), [name])
  open({ ...nothing, isNamed: () => true, names: () => [name] })
  assert.deepEqual(list('files'), ['.vault', name])
  assert.equal(warnings.length, 1)
})

test('what is newer than an older database knows of is set aside, and what a crash left is removed', async (t) => {
  const { folders, warnings, open, list } = workshop(t)
  const vault = open()
  const { name } = await vault.put(Buffer.from('uploaded after the backup'))
  const crashed = await vault.put(Buffer.from('left by a crash'))
  const stored = Date.now()
  utimesSync(join(folders.files, crashed.name), stored / 1000, stored / 1000 - 3600)
  open({ ...nothing, lastWriteAt: () => stored - 3_500_000 })
  assert.deepEqual(list('files'), ['.vault'])
  assert.deepEqual(readdirSync(folders.orphans), [name])
  assert.match(warnings[0] ?? '', /1 stored files? .*moved to/)
})

test('an emptied folder is taken into use again', (t) => {
  const { folders, warnings, open, list } = workshop(t)
  open()
  rmSync(join(folders.files, '.vault'))
  open()
  open()
  assert.deepEqual([list('files'), warnings], [['.vault'], []])
})
