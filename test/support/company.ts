import type { TestContext } from 'node:test'
import { majlis, temporaryFolder } from './process.ts'

/** A folder with company 1 and its owner Sara, made by the command as an operator would. */
export async function companyByCommand(t: TestContext, ...flags: string[]) {
  const data = temporaryFolder(t)
  const run = (...words: string[]) => majlis([...words, '--data', data, '--json'])
  const person = ['--name', 'Sara', '--email', 'Sara@x.example', '--role', 'owner']
  await run('company', 'create', '--name', 'شركة النخيل', '--rest-api', 'on', ...flags)
  await run('user', 'create', '--company', '1', ...person)
  const key = (...words: string[]) =>
    run('key', 'create', '--company', '1', '--creator', 'sara@X.example', '--name', 'K', ...words)
  return { data, run, key }
}

/** The same with a key of the write preset, and each command's answer as it is. */
export async function companyWithKey(t: TestContext, ...flags: string[]) {
  const { data, run, key } = await companyByCommand(t, ...flags)
  const made = await key('--preset', 'write')
  return { data, run: async (...words: string[]) => (await run(...words)).json, key: made.json }
}
