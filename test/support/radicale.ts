import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { hasProgram } from './component.ts'
import { temporaryFolder } from './process.ts'

export interface Radicale {
  /** Of the one calendar, which takes the user name and the password. */
  url: string
  username: string
  password: string
  /** Ends it as a crash does. */
  kill(): Promise<void>
  /** Starts it on the same port with what it had kept. */
  restart(): Promise<void>
  /** What it has kept on the disk, by its name inside the calendar; also while it is dead. */
  objects(): Promise<Record<string, string>>
}

export function hasRadicale(t: TestContext): boolean {
  return hasProgram(t, 'radicale', 'radicale')
}

/** A real Radicale on a free port of its own, with one user and one calendar. */
export async function startRadicale(t: TestContext): Promise<Radicale> {
  const folder = temporaryFolder(t)
  const username = 'amina'
  const password = 'كلمة السر, and a colon: too'
  writeFileSync(join(folder, 'users'), `${username}:${password}\n`)
  let running = await run(t, folder, 0)
  const { port } = running
  const url = `http://127.0.0.1:${port}/${username}/events/`
  await makeCalendar(url, username, password)
  return {
    url,
    username,
    password,
    kill: () => running.kill(),
    async restart() {
      await running.kill()
      running = await run(t, folder, port)
    },
    async objects() {
      const calendar = join(folder, 'storage', 'collection-root', username, 'events')
      const names = readdirSync(calendar).filter((name) => !name.startsWith('.'))
      return Object.fromEntries(
        names.map((name) => [name, readFileSync(join(calendar, name), 'utf8')]),
      )
    },
  }
}

interface Running {
  port: number
  kill(): Promise<void>
}

async function run(t: TestContext, folder: string, port: number): Promise<Running> {
  const config = join(folder, 'config')
  writeFileSync(config, configText(folder, port))
  const child = spawn('radicale', ['--config', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exit = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await exit
  }
  t.after(kill)
  return { port: await listeningPort(child), kill }
}

function configText(folder: string, port: number): string {
  return `[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${join(folder, 'users')}
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${join(folder, 'storage')}
[web]
type = none
[logging]
level = info
`
}

/** It says so in its log once it listens. */
function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let log = ''
    child.stderr?.on('data', (chunk) => {
      log += chunk
      const [, port] = /Listening on '\[?127\.0\.0\.1\]?:(\d+)'/.exec(log) ?? []
      if (port !== undefined) resolve(Number(port))
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(`radicale ended at its start: ${log}`)))
  })
}

async function makeCalendar(url: string, username: string, password: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const asked = request(url, { method: 'MKCALENDAR', headers: { authorization }, agent: false })
  asked.end(`<?xml version="1.0" encoding="utf-8"?>
<mkcalendar xmlns="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:">
  <D:set><D:prop><D:displayname>مواعيد Majlis</D:displayname></D:prop></D:set>
</mkcalendar>
`)
  const [answer] = await once(asked, 'response')
  answer.resume()
  if (answer.statusCode !== 201) throw new Error(`MKCALENDAR was answered ${answer.statusCode}`)
}
