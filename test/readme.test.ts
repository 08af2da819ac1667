import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from './support/process.ts'

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
