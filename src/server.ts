import { existsSync } from 'node:fs'
import { isSea } from 'node:sea'
import { adminContext } from './admin/context.ts'
import { type Demo, prepareDemo } from './admin/demo.ts'
import { type App, createApp } from './app.ts'
import { type CalendarClient, caldavClient } from './caldav/client.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { type DataFolder, dataFolder, lockFolder, prepareFolder } from './db/data-folder.ts'
import type { Db } from './db/database.ts'
import { openDatabase } from './db/open.ts'
import { serverSettings } from './db/settings.ts'
import { Failure } from './domain/failure.ts'
import { BASE_PATH } from './gates/routing.ts'
import type { Exchange } from './http/exchange.ts'
import { nodeTransport } from './http/node.ts'
import { openTransport } from './http/server.ts'
import type { Log } from './log.ts'
import { type Mailer, smtpMailer } from './mail/smtp.ts'
import { smtpAddressText } from './mail/smtp-settings.ts'
import { keepAddonsIn } from './native.ts'
import type { ConnectionRow } from './resources/events/connections.ts'
import { byteLedger } from './resources/files/bytes.ts'
import { builtinScanner } from './scan/builtin.ts'
import { readScannerChoice, type ScannerChoice, scannerCaution } from './scan/choice.ts'
import { clamdScanner } from './scan/clamd.ts'
import type { Scanner } from './scan/scanner.ts'
import { fileSeal, type Seal } from './secrets/seal.ts'
import { openVault } from './storage/open.ts'

export interface RunningServer {
  url: string
  baseUrl: string
  demo: Demo | null
  /** What the operator must know of the scanner. */
  caution: string | null
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
    caution: opened.caution,
    async close() {
      opened.app.startClosing()
      await transport.close(DRAIN_DEADLINE)
      await opened.app.close()
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
    const settings = serverSettings(db)
    const vault = openVault({ folders: folder, settings, known: byteLedger(db), warn: log.warn })
    settings.write('scanner', config.scanner)
    settings.write('mail', config.mail === null ? 'none' : smtpAddressText(config.mail.smtp))
    const choice = readScannerChoice(config.scanner)
    if (choice === null) throw new Failure(`${config.scanner} is no scanner.`)
    const caution = scannerCaution(choice)
    if (caution !== null) log.warn(caution)
    const demo = config.demo ? await prepareDemo(adminContext(db, clock), vault) : null
    const app = createApp({
      db,
      vault,
      scanner: scannerOf(choice, folder.digestList),
      mailer: openMailer(config, log),
      calendarOf: calendarOpener(fileSeal(folder.secretKey)),
      clock,
      log,
      burstPerIp: config.burstPerIp,
      burstPerKey: config.burstPerKey,
    })
    return { app, demo, caution, lock }
  } catch (error) {
    db?.close()
    lock.release()
    throw error
  }
}

/** A mail server that is not there yet is no reason not to start. */
function openMailer({ mail }: Config, { warn }: Log): Mailer | null {
  if (mail === null) return null
  const mailer = smtpMailer(mail.smtp, mail.from)
  mailer.verify().catch((error: Error) => warn(`Mails will have to wait: ${error.message}`))
  return mailer
}

function calendarOpener(seal: Seal): (connection: ConnectionRow) => CalendarClient {
  return ({ url, username, sealed_password }) =>
    caldavClient({ url, username, password: seal.open(sealed_password) })
}

function scannerOf(choice: ScannerChoice, digestList: string): Scanner | null {
  if (choice.kind === 'none') return null
  return choice.kind === 'builtin' ? builtinScanner(digestList) : clamdScanner(choice.address)
}

/** What to write into an address where the server listens on all of them. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
