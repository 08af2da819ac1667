import type { TestContext } from 'node:test'
import { operations, rights } from '../../src/domain/operations.ts'
import { type KeyOptions, type Sandbox, type SandboxOptions, startMajlis } from '../../src/index.ts'
import { type Api, client } from './client.ts'

/** A key that may do everything: tests of a gate name what it lacks. */
export const everything: KeyOptions = {
  scope: 'write',
  operations: [...operations],
  rights: [...rights],
}

export const MARCH_FIRST = '2026-03-01T09:00:00Z'

export interface Booted {
  majlis: Sandbox
  api: Api
}

/** A server of its own for one test, closed with it; `api` carries a key that may do everything. */
export async function boot(t: TestContext, options: SandboxOptions = {}): Promise<Booted> {
  const majlis = await startMajlis({ now: MARCH_FIRST, ...options })
  t.after(() => majlis.close())
  return { majlis, api: client(majlis.baseUrl, await majlis.key(everything)) }
}
