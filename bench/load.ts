import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { keepTrack, type Server } from './servers.ts'

/** What one run of wrk sends. */
export interface Workload {
  readonly key: string
  readonly method: 'GET' | 'POST'
  /** What is asked for, in turn; relative to the base address. */
  readonly paths: readonly string[]
  /** `{n}` in it becomes a number that no other request has. */
  readonly body?: string
}

export interface Measure {
  readonly perSecond: number
  /** Of the server's processor time, user and system. */
  readonly microseconds: number
}

const CONNECTIONS = 16
/** Linux counts a process's time in these, on every machine that Node runs on. */
const MICROSECONDS_A_TICK = 10_000
/** More than one run can ask for. */
const NUMBERS_A_RUN = 10_000_000

const script = fileURLToPath(new URL('requests.lua', import.meta.url))
let numbered = 0

export function hasWrk(): boolean {
  return spawnSync('wrk', ['-v']).error === undefined
}

/** `{n}` filled in: none of these numbers has been or will be given out again. */
export function withNumber(body: string): string {
  numbered += NUMBERS_A_RUN
  return body.replaceAll('{n}', String(numbered))
}

/** `folder` is for what wrk has to read. */
export async function measure(
  server: Server,
  workload: Workload,
  { folder, seconds }: { folder: string; seconds: number },
): Promise<Measure> {
  const options = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script]
  const args = [...options, server.baseUrl, '--', ...scriptArguments(workload, folder)]
  const before = processorTicks(server.pid)
  const { requests, failed, duration } = await runWrk(args)
  const ticks = processorTicks(server.pid) - before
  if (requests === 0 || failed > 0) {
    throw new Error(`${failed} of ${requests} requests to ${server.baseUrl} failed`)
  }
  return {
    perSecond: (requests / duration) * 1e6,
    microseconds: (ticks * MICROSECONDS_A_TICK) / requests,
  }
}

function scriptArguments({ key, method, paths, body }: Workload, folder: string): string[] {
  const file = join(folder, 'paths.txt')
  writeFileSync(file, `${paths.join('\n')}\n`)
  numbered += NUMBERS_A_RUN
  return [key, method, file, String(numbered), ...(body === undefined ? [] : [body])]
}

async function runWrk(args: string[]) {
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  keepTrack(child)
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const line = /^\{.*\}$/m.exec(output)?.[0]
  if (status !== 0 || line === undefined) throw new Error(`wrk ended with ${status}: ${output}`)
  return JSON.parse(line) as { requests: number; failed: number; duration: number }
}

function processorTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may hold anything; fields 14 and 15 are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
