import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const launcher = fileURLToPath(new URL('../../bin/majlis', import.meta.url))

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
  /** Standard output as the one JSON value it must be. */
  // biome-ignore lint/suspicious/noExplicitAny: what a command answers is looked at field by field
  json: any
}

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'majlis-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs `majlis` to its end, with a clean environment. */
export async function majlis(
  words: readonly string[],
  options: { cwd?: string; input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [launcher, ...words], {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH: process.env.PATH ?? '', ...options.env },
  })
  child.stdin.end(options.input ?? '')
  const [stdout, stderr, code] = await Promise.all([
    collect(child.stdout),
    collect(child.stderr),
    exitOf(child),
  ])
  return {
    code,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout)
    },
  }
}

export interface Served {
  url: string
  baseUrl: string
  child: ChildProcess
  greeting: Record<string, unknown>
  stderr(): string
  /** Sends a signal and answers the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts `majlis serve --json` on a free port and waits for its first line. */
export async function serve(
  t: TestContext,
  data: string,
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Served> {
  const words = ['serve', '--port', '0', '--json', '--data', data, ...flags]
  const child = spawn(process.execPath, [launcher, ...words], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  t.after(() => child.kill('SIGKILL'))
  const exit = exitOf(child)
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const greeting = JSON.parse(await firstLine(child, () => stderr))
  return {
    url: greeting.url,
    baseUrl: greeting.base_url,
    greeting,
    child,
    stderr: () => stderr,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exit
    },
  }
}

function firstLine(child: ChildProcess, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${stderr()}`)))
  })
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve))
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  stream.setEncoding('utf8')
  for await (const chunk of stream) text += chunk
  return text
}
