import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { vectors } from './domain/folding-vectors.ts'
import { client } from './support/client.ts'
import { serve, temporaryFolder } from './support/process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const run = promisify(execFile)

test("the README's example of a test runs as printed", async (t) => {
  const [, example] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
  assert.ok(example, 'there is an example')
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules', 'majlis'))
  writeFileSync(join(folder, 'quota.test.mjs'), example)
  const { stdout } = await run(
    process.execPath,
    ['--test', '--test-reporter', 'tap', 'quota.test.mjs'],
    {
      cwd: folder,
      env: { PATH: process.env.PATH },
    },
  )
  assert.match(stdout, /# pass 1\n/)
  assert.match(stdout, /# fail 0\n/)
})

test('the README opens with the two commands, and every npm script it names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.match(readme, /npm ci && npm start[\s\S]*npm ci && npm test/)
  for (const [, name = ''] of readme.matchAll(/npm run ([\w-]+)/g)) assert.ok(name in scripts, name)
})

test('every file that the README sends a reader to is there', () => {
  for (const [, path = ''] of readme.matchAll(/`((?:src|test|schema)[\w./-]*)`/g)) {
    assert.ok(existsSync(join(root, path)), path)
  }
})

test('the table of how names are read is the vectors that the tests hold the folding to', () => {
  const [, table = ''] =
    /^\| rule \| written \| folded \|\n\|[ -|]+\|\n((?:\|.*\n)+)/m.exec(readme) ?? []
  const shown = vectors.map(
    ({ rule, text, folded }) => `| ${rule} | ${visible(text)} | ${visible(folded)} |`,
  )
  assert.deepEqual(table.trimEnd().split('\n'), shown)
})

/** What a reader could not see stands as its code. */
function visible(text: string): string {
  return text
    .replace(/\ufe0f|\u0301|\u0653|\u0654|\u20e3|\p{Cf}/gu, (sign) => {
      const code = (sign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')
      return ` \`U+${code}\` `
    })
    .replace(/ {2,}/g, ' ')
    .trim()
}

test("the README's example search answers as printed on the demo company", async (t) => {
  const [, words = ''] = /--data-urlencode 'q=(.+?)'/.exec(readme) ?? []
  const [, printed = ''] = /```json\n([\s\S]*?)```/.exec(readme) ?? []
  const { baseUrl, greeting } = await serve(t, temporaryFolder(t), ['--demo'])
  const api = client(baseUrl, (greeting.demo as { key: string }).key)
  const { body } = await api.get(`/search?q=${encodeURIComponent(words)}`)
  const withoutRefs = JSON.stringify(body).replace(/("id":"\w+-)\w+/g, '$1…')
  assert.deepEqual(JSON.parse(withoutRefs), JSON.parse(printed))
})
