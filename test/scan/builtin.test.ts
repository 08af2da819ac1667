import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { builtinScanner, readDigestList } from '../../src/scan/builtin.ts'
import { temporaryFolder } from '../support/process.ts'
import { stored } from './bytes.ts'

/** From parts, so that no virus scanner takes this file away. */
const EICAR = [
  'X5O!P%@AP[4\\PZX54(P^)',
  '7CC)7}$EICAR-STANDARD-',
  'ANTIVIRUS-TEST-FILE!$H+H*',
].join('')

const CLEAN = { state: 'clean' } as const
const EICAR_FOUND = { state: 'infected', threat: 'EICAR-Test-File' } as const

const digestOf = (content: string) => createHash('sha256').update(content).digest('hex')
const found = (threat: string) => ({ state: 'infected', threat })

/** A scanner whose list holds `text`; null is no file. */
function listing(t: TestContext, text: string | Buffer | null) {
  const file = join(temporaryFolder(t), 'list')
  if (text !== null) writeFileSync(file, text)
  return { file, scanner: builtinScanner(file) }
}

for (const [name, content] of [
  ['alone', EICAR],
  ['with a line end', `${EICAR}\r\n`],
  ['with every white space there is', `${EICAR}\t\n\r \x1a`],
  ['padded to 128 bytes', EICAR.padEnd(128)],
] as const) {
  test(`the EICAR test file ${name} is infected`, async (t) => {
    assert.deepEqual(await listing(t, null).scanner.scan(stored(content)), EICAR_FOUND)
  })
}

for (const [name, content] of [
  ['padded to 129 bytes', EICAR.padEnd(129)],
  ['after a space', ` ${EICAR}`],
  ['before a letter', `${EICAR}x`],
  ['before a zero byte', `${EICAR}\0`],
  ['before a form feed', `${EICAR}\f`],
  ['before a no-break space', Buffer.from(`${EICAR}\xa0`, 'latin1')],
  ['without its last byte', EICAR.slice(0, -1)],
  ['with a space for its last byte', `${EICAR.slice(0, -1)} `],
  ['in small letters', EICAR.toLowerCase()],
  ['twice', EICAR + EICAR],
] as const) {
  test(`the EICAR text ${name} is not the test file`, async (t) => {
    assert.deepEqual(await listing(t, null).scanner.scan(stored(content)), CLEAN)
  })
}

test('the EICAR test file is known, however few bytes a read gives', async (t) => {
  const content = Buffer.from(`${EICAR}\n`)
  const shared = Buffer.alloc(7)
  const file = stored(content, {
    async read(offset) {
      return shared.subarray(0, content.copy(shared, 0, offset, offset + 7))
    },
  })
  assert.deepEqual(await listing(t, null).scanner.scan(file), EICAR_FOUND)
})

test('a small file that cannot be read, or ends too soon, gets no verdict', async (t) => {
  const { scanner } = listing(t, null)
  const fault = new Error('EIO')
  const failing = stored(EICAR, { read: () => Promise.reject(fault) })
  await assert.rejects(scanner.scan(failing), (error) => error === fault)
  await assert.rejects(scanner.scan(stored(EICAR, { size: 70 })), /ends after 68 of 70 bytes/)
})

test('a large file costs no read', async (t) => {
  const read = () => assert.fail('it was read')
  assert.deepEqual(await listing(t, null).scanner.scan(stored(Buffer.alloc(129), { read })), CLEAN)
})

test('files whose digests are listed are infected, by the name beside them', async (t) => {
  const list = [
    '\ufeff# bad files',
    '',
    digestOf('plain'),
    `${digestOf('loud').toUpperCase()}\tLoud.Threat`,
    `${digestOf('spaced')}   A name  with spaces  `,
    `${digestOf('sum')}  *setup.exe`,
    '  \t',
    '#',
    digestOf('last'),
  ].join('\r\n')
  const { file, scanner } = listing(t, list)
  for (const [content, threat] of [
    ['plain', 'Listed-SHA256'],
    ['loud', 'Loud.Threat'],
    ['spaced', 'A name  with spaces'],
    ['sum', '*setup.exe'],
    ['last', 'Listed-SHA256'],
  ] as const) {
    assert.deepEqual(await scanner.scan(stored(content)), found(threat))
  }
  assert.deepEqual(await scanner.scan(stored('unlisted')), CLEAN)
  assert.equal(await readDigestList(file), 5)
})

test('a byte order mark right before the first digest does not hide it', async (t) => {
  const { scanner } = listing(t, `\ufeff${digestOf('bad')}`)
  assert.deepEqual(await scanner.scan(stored('bad')), found('Listed-SHA256'))
})

test('without a list nothing is listed', async (t) => {
  const { file, scanner } = listing(t, null)
  assert.deepEqual(await scanner.scan(stored('anything')), CLEAN)
  assert.equal(await readDigestList(file), 0)
})

for (const [reason, line] of [
  ['63 digits', 'a'.repeat(63)],
  ['65 digits', 'a'.repeat(65)],
  ['a letter that is no digit', `${'a'.repeat(63)}g`],
  ['a name without white space before it', `${'a'.repeat(64)},name`],
  ['an MD5 digest', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['a name with a control character', `${'a'.repeat(64)} na\x07me`],
  ['words', 'all PDF files'],
  ['a comment of another kind', '; bad files'],
] as const) {
  test(`a line with ${reason} stops every scan, and is named`, async (t) => {
    const { file, scanner } = listing(t, `# fine\n${'b'.repeat(64)}\n${line}\n`)
    const failure = (error: Error) => {
      assert.equal(error.name, 'Failure')
      assert.ok(error.message.startsWith(`${file}, line 3: "`), error.message)
      assert.match(error.message, /is not a SHA-256 digest: write 64 hexadecimal digits/)
      return true
    }
    await assert.rejects(scanner.scan(stored('clean')), failure)
    await assert.rejects(scanner.scan(stored(EICAR)), failure)
    await assert.rejects(readDigestList(file), failure)
    writeFileSync(file, '')
    assert.deepEqual(await scanner.scan(stored('clean')), CLEAN)
  })
}

test('a list in UTF-16 is refused and not read as empty', async (t) => {
  const { file } = listing(t, Buffer.from(`\ufeff${'a'.repeat(64)}\r\n`, 'utf16le'))
  await assert.rejects(readDigestList(file), /line 1/)
})

test('a folder in the place of the list is refused', async (t) => {
  const folder = join(temporaryFolder(t), 'list')
  mkdirSync(folder)
  await assert.rejects(builtinScanner(folder).scan(stored('x')), /is not a file: put a list of/)
})

test('a list that cannot be reached is refused with its cause', async (t) => {
  const { file } = listing(t, '')
  await assert.rejects(
    builtinScanner(join(file, 'below')).scan(stored('x')),
    /cannot be read \(ENOTDIR\)/,
  )
})

test('the list is read again when it has changed, and then only', async (t) => {
  const { file, scanner } = listing(t, digestOf('one'))
  const state = async (content: string) => (await scanner.scan(stored(content))).state
  const reads = countReads(t)
  for (const content of ['one', 'one', 'two']) await state(content)
  assert.equal(await state('one'), 'infected')
  assert.equal(reads(), 1, 'not once a scan')

  writeFileSync(file, `${digestOf('one')}\n${digestOf('two')}\n`)
  assert.equal(await state('two'), 'infected', 'written anew')

  rmSync(file)
  assert.equal(await state('one'), 'clean', 'removed')

  writeFileSync(`${file}.new`, digestOf('two'))
  renameSync(`${file}.new`, file)
  assert.equal(await state('two'), 'infected', 'moved into its place')
  assert.equal(reads(), 3)
})

function countReads(t: TestContext): () => number {
  const { mock } = t.mock.method(files, 'readFile')
  syncBuiltinESMExports()
  t.after(() => {
    mock.restore()
    syncBuiltinESMExports()
  })
  return () => mock.callCount()
}

test('no file of ours holds the EICAR text in one piece', () => {
  for (const folder of ['src', 'test', 'dist']) {
    const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url))
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const file = join(entry.parentPath, entry.name)
      assert.ok(!readFileSync(file).includes(EICAR), `${file} would be quarantined`)
    }
  }
})
