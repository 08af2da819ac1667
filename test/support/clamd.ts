import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type ClamdAddress, clamdAddressText } from '../../src/scan/choice.ts'
import { hasProgram } from './component.ts'

/** What the one signature of the test's clamd matches, and what clamd then calls it. */
export const INFECTED_TEXT = 'PM-TEST-INFECTED-9f3b'
export const INFECTED_THREAT = 'Test-Marker-Bad.UNOFFICIAL'

/** Debian keeps it where the path of a person who is not root does not lead. */
const program = existsSync('/usr/sbin/clamd') ? '/usr/sbin/clamd' : 'clamd'

export interface Clamd {
  address: ClamdAddress
  /** The value of `--scanner`. */
  scannerFlag: string
  /** Ends it as a crash does. */
  kill(): Promise<void>
  /** Starts it on the same address, once it is dead. */
  restart(): Promise<void>
}

export function hasClamd(t: TestContext): boolean {
  return hasProgram(t, program, 'clamav-daemon')
}

/** A real clamd with one signature of our own, on a socket in a folder of its own or on a free port. */
export async function startClamd(
  t: TestContext,
  { tcp = false, streamMaxLength = '6M' }: { tcp?: boolean; streamMaxLength?: string } = {},
): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'majlis-clamd-'))
  const address: ClamdAddress = tcp
    ? { host: '127.0.0.1', port: await freePort() }
    : { path: join(folder, 'clamd.sock') }
  writeConfig(folder, address, streamMaxLength)
  let running: Running | undefined
  t.after(async () => {
    await running?.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const restart = async () => {
    await running?.kill()
    running = run(folder)
    await answers(address, running)
  }
  await restart()
  return {
    address,
    scannerFlag: `clamd:${clamdAddressText(address)}`,
    kill: async () => running?.kill(),
    restart,
  }
}

function writeConfig(folder: string, address: ClamdAddress, streamMaxLength: string): void {
  for (const each of ['signatures', 'temporary']) mkdirSync(join(folder, each))
  const hex = Buffer.from(INFECTED_TEXT).toString('hex')
  writeFileSync(join(folder, 'signatures', 'test.ndb'), `Test-Marker-Bad:0:*:${hex}\n`)
  const listening =
    'path' in address
      ? [`LocalSocket ${address.path}`]
      : [`TCPSocket ${address.port}`, `TCPAddr ${address.host}`]
  const lines = [
    ...listening,
    `DatabaseDirectory ${join(folder, 'signatures')}`,
    `TemporaryDirectory ${join(folder, 'temporary')}`,
    `StreamMaxLength ${streamMaxLength}`,
    'Foreground yes',
  ]
  writeFileSync(join(folder, 'clamd.conf'), `${lines.join('\n')}\n`)
}

interface Running {
  child: ChildProcess
  output(): string
  kill(): Promise<void>
}

function run(folder: string): Running {
  const child = spawn(program, ['--config-file', join(folder, 'clamd.conf')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return {
    child,
    output: () => output,
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function answers(address: ClamdAddress, { child, output }: Running): Promise<void> {
  while (!(await isAnswering(address))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`clamd ended at its start: ${output()}`)
    await pause(20)
  }
}

async function isAnswering(address: ClamdAddress): Promise<boolean> {
  const socket: Socket = connect(address)
  socket.write('zPING\0')
  try {
    return (await text(socket)) === 'PONG\0'
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
