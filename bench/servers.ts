import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Seeded } from './seed.ts'

export interface Server {
  readonly baseUrl: string
  readonly pid: number
}

const checkout = fileURLToPath(new URL('..', import.meta.url))
const children = new Set<ChildProcess>()

/** The bundle, as `bin/majlis` runs it. */
export function buildMajlis(): void {
  const { status } = spawnSync(process.execPath, ['build.mjs', 'bundle'], {
    cwd: checkout,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The bundle could not be built')
}

/** All gates on: the limits are out of reach, so that every call is counted and none refused. */
export function startMajlis({ folder }: Seeded): Promise<Server> {
  const log = openSync(join(folder, 'requests.log'), 'w')
  const limits = ['--burst-per-key', '100000000', '--burst-per-ip', '100000000']
  const args = ['bin/majlis', 'serve', '--json', '--port', '0', '--data', folder, ...limits]
  return start(args, log)
}

export function startBare({ folder, companyId, creatorId }: Seeded): Promise<Server> {
  const owner = [String(companyId), String(creatorId)]
  return start(['--import', 'tsx', 'bench/bare.ts', folder, ...owner], 'inherit')
}

/** For every process that the benchmark begins, so that none outlives it. */
export function keepTrack(child: ChildProcess): void {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

export function endChildren(): void {
  for (const child of children) child.kill('SIGKILL')
}

async function start(args: string[], stderr: number | 'inherit'): Promise<Server> {
  const child = spawn(process.execPath, args, { cwd: checkout, stdio: ['ignore', 'pipe', stderr] })
  keepTrack(child)
  const greeting = await Promise.race([
    firstLine(child.stdout as Readable),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${args.join(' ')} ended with ${code} before it listened`)
    }),
  ])
  const { base_url: baseUrl } = JSON.parse(greeting) as { base_url: string }
  return { baseUrl, pid: child.pid as number }
}

async function firstLine(stream: Readable): Promise<string> {
  const [line] = (await once(createInterface(stream), 'line')) as [string]
  return line
}
