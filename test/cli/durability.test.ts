import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { client } from '../support/client.ts'
import { companyByCommand } from '../support/company.ts'
import { hasProgram } from '../support/component.ts'
import { eventually, storedIn } from '../support/stored.ts'

const launcher = fileURLToPath(new URL('../../bin/majlis', import.meta.url))

/** The steps that matter, as the kernel was asked for them, one word each. */
function stepsOf(trace: string, storageName: string): string[] {
  const steps: string[] = []
  for (const line of trace.split('\n')) {
    const sync = /(?:fsync|fdatasync)\(\d+<([^>]+)>/.exec(line)?.[1] ?? ''
    if (line.includes('openat(') && line.includes(`${storageName}.part`)) steps.push('create')
    if (sync.endsWith(`${storageName}.part`)) steps.push('sync bytes')
    if (/rename\w*\(/.test(line) && line.includes(storageName)) steps.push('rename')
    if (sync.endsWith('/files')) steps.push('sync folder')
    if (sync.endsWith('majlis.db-wal')) steps.push('commit')
    if (/unlink\w*\(/.test(line) && line.includes(storageName)) steps.push('remove')
  }
  return steps
}

test('bytes are synced, renamed and their folder synced before the row, and removed after its deletion', async (t) => {
  if (!hasProgram(t, 'strace', 'strace')) return
  const { data, key } = await companyByCommand(t, '--plan', 'enterprise')
  const rights = ['--rights', 'delete_any_file', '--operations', 'files:destructive']
  const { key: text } = (await key('--preset', 'write', ...rights)).json
  const trace = join(data, 'trace')
  const calls = 'openat,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat'
  const words = [launcher, 'serve', '--port', '0', '--json', '--data', data, '--scanner', 'none']
  const traced = ['-D', '-f', '-y', '-e', `trace=${calls}`, '-o', trace, process.execPath, ...words]
  const child = spawn('strace', traced, { env: { PATH: process.env.PATH ?? '' } })
  t.after(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const api = client(JSON.parse(line.toString()).base_url, text)
  const { id } = (await api.post('/projects', { name: 'P' })).data
  const { data: file } = await api.post(`/projects/${id}/files`, { name: 'a.txt', content: 'abc' })
  const [name = ''] = storedIn({ folder: data }, 'files')
  await api.delete(`/files/${file.ref}`)
  await eventually(() => assert.deepEqual(storedIn({ folder: data }, 'files'), []))
  child.kill('SIGTERM')
  await once(child, 'exit')
  const steps = stepsOf(readFileSync(trace, 'utf8'), name)
  const upload = steps.slice(steps.indexOf('create'), steps.indexOf('create') + 5)
  assert.deepEqual(upload, ['create', 'sync bytes', 'rename', 'sync folder', 'commit'])
  const removal = steps.indexOf('remove')
  assert.equal(steps[removal - 1], 'commit')
  assert.ok(removal > steps.indexOf('commit', steps.indexOf('rename')))
})
