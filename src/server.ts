import { existsSync } from 'node:fs'
import { isSea } from 'node:sea'
import { adminContext } from './admin/context.ts'
import { type Demo, prepareDemo } from './admin/demo.ts'
import { type App, createApp } from './app.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { type DataFolder, dataFolder, lockFolder, prepareFolder } from './db/data-folder.ts'
import type { Db } from './db/database.ts'
import { openDatabase } from './db/open.ts'
import { BASE_PATH } from './gates/routing.ts'
import type { Exchange } from './http/exchange.ts'
import { nodeTransport } from './http/node.ts'
import { openTransport } from './http/server.ts'
import type { Log } from './log.ts'
import { keepAddonsIn } from './native.ts'

export interface RunningServer {
  url: string
  baseUrl: string
  demo: Demo | null
  /** Answers what was accepted, then closes the database. */
  close(): Promise<void>
}

const DRAIN_DEADLINE = 10_000

/** The address is taken first and the folder touched after it, so that a start that fails leaves nothing behind. */
export async function startServer(config: Config, clock: Clock, log: Log): Promise<RunningServer> {
  let app: App | null = null
  const early: Exchange[] = []
  const receive = (exchange: Exchange): void => {
    if (app) app.receive(exchange)
    else early.push(exchange)
  }
  const folder = dataFolder(config.data)
  keepAddonsIn(folder.path)
  if (isSea()) await prepareForAddons(folder, config)
  const transport = await openTransport(config.http, receive, {
    trustProxy: config.trustProxy,
    onFault: (error) => log.fault(null, error),
    warn: log.warn,
  })
  const port = await transport.listen(config.host, config.port)
  const opened = await openApp(config, clock, log).catch(async (error) => {
    await transport.close(0)
    throw error
  })
  app = opened.app
  for (const exchange of early) app.receive(exchange)
  const url = `http://${reachableHost(config.host)}:${port}`
  return {
    url,
    baseUrl: url + BASE_PATH,
    demo: opened.demo,
    async close() {
      opened.app.startClosing()
      await transport.close(DRAIN_DEADLINE)
      opened.app.close()
      opened.lock.release()
    },
  }
}

/** The executable writes uWebSockets.js into the folder before that can listen, so node:http tries the address first. */
async function prepareForAddons(folder: DataFolder, { host, port }: Config): Promise<void> {
  if (!existsSync(folder.path)) {
    const trial = nodeTransport(() => {}, { trustProxy: false, onFault: () => {} })
    await trial.listen(host, port)
    await trial.close(0)
  }
  prepareFolder(folder)
}

async function openApp(config: Config, clock: Clock, log: Log) {
  const folder = dataFolder(config.data)
  prepareFolder(folder)
  const lock = lockFolder(folder)
  let db: Db | null = null
  try {
    db = openDatabase(folder.database)
    const demo = config.demo ? await prepareDemo(adminContext(db, clock)) : null
    const app = createApp({
      db,
      clock,
      log,
      burstPerIp: config.burstPerIp,
      burstPerKey: config.burstPerKey,
    })
    return { app, demo, lock }
  } catch (error) {
    db?.close()
    lock.release()
    throw error
  }
}

/** What to write into an address where the server listens on all of them. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
