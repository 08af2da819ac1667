import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { keepTrack, type Server } from './servers.ts'

export interface Measure {
  readonly perSecond: number
  /** Of the server's processor time, user and system. */
  readonly microseconds: number
}

const CONNECTIONS = 16
/** Linux counts a process's time in these, on every machine that Node runs on. */
const MICROSECONDS_A_TICK = 10_000

export function hasWrk(): boolean {
  return spawnSync('wrk', ['-v']).error === undefined
}

/** A script for wrk that asks for `paths` in turn, and prints what came of it as JSON. */
export function writeScript(folder: string, name: string, paths: string[], key: string): string {
  const file = join(folder, `${name}.lua`)
  writeFileSync(
    file,
    `local paths = { ${paths.map((path) => `'${path}'`).join(', ')} }
local requests = {}
local last = 0
wrk.headers['Authorization'] = 'Bearer ${key}'

function init()
  for i, path in ipairs(paths) do requests[i] = wrk.format('GET', wrk.path .. path) end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  print(string.format('{"requests":%d,"failed":%d,"duration":%d}',
    summary.requests, failed, summary.duration))
end
`,
  )
  return file
}

export async function measure(server: Server, script: string, seconds: number): Promise<Measure> {
  const before = processorTicks(server.pid)
  const { requests, failed, duration } = await runWrk(server.baseUrl, script, seconds)
  const ticks = processorTicks(server.pid) - before
  if (requests === 0 || failed > 0) {
    throw new Error(`${failed} of ${requests} requests to ${server.baseUrl} failed`)
  }
  return {
    perSecond: (requests / duration) * 1e6,
    microseconds: (ticks * MICROSECONDS_A_TICK) / requests,
  }
}

async function runWrk(baseUrl: string, script: string, seconds: number) {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, baseUrl]
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
