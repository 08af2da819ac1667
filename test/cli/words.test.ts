import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { companyByCommand as company } from '../support/company.ts'
import { majlis, temporaryFolder } from '../support/process.ts'

const wrongWords: [words: string[], says: RegExp][] = [
  [['nonsense'], /no command 'nonsense'/],
  [['company'], /needs one more word/],
  [['company', 'nonsense'], /needs one more word/],
  [['company', 'create'], /--name NAME is missing/],
  [['company', 'create', '--name', ' '], /--name can't be blank/],
  [['company', 'create', '--name', 'A', '--plan', 'gold'], /--plan must be one of free, pro/],
  [['company', 'create', '--name', 'A', '--time-zone', 'Mars/Base'], /no known time zone/],
  [['company', 'create', '--name', 'A', '--rest-api', 'yes'], /--rest-api must be one of on, off/],
  [
    ['company', 'create', '--name', 'A', '--daily-limit', 'many'],
    /--daily-limit must be a whole number/,
  ],
  [['company', 'create', '--name', 'A', '--colour', 'red'], /--colour/],
  [['company', 'create', '--name', 'A', '--daily-limit', '-1'], /--daily-limit/],
  [['--data', 'x', 'company', 'list'], /Flags come after the command/],
  [['company', 'set', 'abc'], /ID must be a number/],
  [['company', 'set'], /ID is missing/],
  [['company', 'set', '1', '2'], /one word too many/],
  [['company', 'set', '1', '--read-only', '--no-read-only'], /contradict/],
  [
    ['user', 'create', '--company', '1', '--name', 'A', '--email', 'nobody'],
    /--email must be an e-mail/,
  ],
  [
    ['user', 'create', '--company', '1', '--name', 'A', '--email', 'a@b', '--role', 'king'],
    /--role must be one of owner/,
  ],
  [
    [
      'key',
      'create',
      '--company',
      '1',
      '--creator',
      'a@b',
      '--name',
      'K',
      '--operations',
      'x:read',
      '--scope',
      'read',
    ],
    /--operations must be one of/,
  ],
  [
    [
      'key',
      'create',
      '--company',
      '1',
      '--creator',
      'a@b',
      '--name',
      'K',
      '--operations',
      'tasks:read',
    ],
    /--operations needs --scope/,
  ],
  [
    [
      'key',
      'create',
      '--company',
      '1',
      '--creator',
      'a@b',
      '--name',
      'K',
      '--scope',
      'read',
      '--operations',
      'tasks:write',
    ],
    /does not permit tasks:write/,
  ],
  [
    [
      'key',
      'create',
      '--company',
      '1',
      '--creator',
      'a@b',
      '--name',
      'K',
      '--preset',
      'write',
      '--scope',
      'read',
    ],
    /does not permit/,
  ],
  [
    ['key', 'create', '--company', '1', '--creator', 'a@b', '--name', 'K', '--rights', 'fly'],
    /--rights must be one of manage_files/,
  ],
  [
    ['key', 'create', '--company', '1', '--creator', 'a@b', '--name', 'K', '--preset', 'all'],
    /--preset must be one of read, write/,
  ],
  [['serve', '--port', '99999'], /--port must be a whole number from 0 to 65535/],
  [['serve', '--scanner', 'norton'], /--scanner must be builtin/],
  [['serve', '--http', 'apache'], /--http must be one of uws, node/],
  [
    ['audit', 'list', '--company', '1', '--outcome', 'maybe'],
    /--outcome must be one of allowed, denied/,
  ],
]

for (const [words, says] of wrongWords) {
  test(`'majlis ${words.join(' ')}' is exit 2 with one line that says what it wants`, async (t) => {
    const data = join(temporaryFolder(t), 'data')
    const { code, stdout, stderr } = await majlis(words, { env: { MAJLIS_DATA: data } })
    assert.match(stderr, says)
    assert.equal(stderr.trim().split('\n').length, 1)
    assert.equal(stdout, '')
    assert.equal(code, 2)
    assert.equal(existsSync(data), false, 'nothing was created')
  })
}

const notThere: [words: string[], says: RegExp][] = [
  [['company', 'show', '7'], /no company 7/],
  [['company', 'set', '7', '--plan', 'pro'], /no company 7/],
  [['user', 'list', '--company', '7'], /no company 7/],
  [['user', 'deactivate', '--company', '1', '--email', 'x@x.example'], /no person of company 1/],
  [
    ['key', 'create', '--company', '1', '--creator', 'x@x.example', '--name', 'K'],
    /no person of company 1/,
  ],
  [['key', 'revoke', '7'], /no key 7/],
  [['key', 'rotate', '7'], /no key 7/],
  [['key', 'list', '--company', '7'], /no company 7/],
  [
    ['member', 'add', '--company', '1', '--project', 'none', '--email', 'sara@x.example'],
    /no project none/,
  ],
  [
    ['member', 'remove', '--company', '1', '--project', 'none', '--email', 'sara@x.example'],
    /no project none/,
  ],
  [['project', 'restore', 'prj-0000000000'], /no project prj-0000000000/],
  [['audit', 'list', '--company', '7'], /no company 7/],
]

test('what is not there is exit 1 with one line that names it', async (t) => {
  const { run } = await company(t)
  for (const [words, says] of notThere) {
    const { code, stdout, stderr } = await run(...words)
    assert.equal(code, 1, words.join(' '))
    assert.match(stderr, says)
    assert.equal(stderr.trim().split('\n').length, 1)
    assert.equal(stdout, '')
  }
})

test('a command on a folder without data says so, and creates nothing', async (t) => {
  const data = temporaryFolder(t)
  for (const words of [['company', 'list'], ['check'], ['key', 'revoke', '1']]) {
    const { code, stderr } = await majlis([...words, '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /There is no Majlis data/)
  }
  assert.deepEqual(readdirSync(data), [])
})
