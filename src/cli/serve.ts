import { systemClock } from '../clock.ts'
import { type Config, configDefaults, type MailSettings } from '../config.ts'
import { UsageFailure } from '../domain/failure.ts'
import type { Mailbox } from '../domain/invitation.ts'
import { transportNames } from '../http/server.ts'
import { jsonLog, silentLog } from '../log.ts'
import { logSink } from '../log-sink.ts'
import { readMailFrom, readSmtpUrl, type SmtpSettings } from '../mail/smtp.ts'
import { readScannerChoice } from '../scan/choice.ts'
import { type RunningServer, startServer } from '../server.ts'
import { command } from './command.ts'
import { defaulting, nameText, oneOf, optional, toggle, whole } from './flags.ts'

/** How long the last log lines may take to be read, in milliseconds. */
const LOG_PATIENCE = 500

export const serveCommands = [
  command({
    words: ['serve'],
    summary: 'Serve the API until SIGTERM or SIGINT',
    details:
      'Log lines go to standard error, one JSON object a request. On SIGTERM the server answers what it has accepted, at\nmost ten seconds long, and closes the database. GET /healthz, /readyz and /openapi.json need no key.\nThe executable keeps its native parts under native/ in the data folder; MAJLIS_NATIVE names another place.',
    readsEnvironment: true,
    flags: {
      port: defaulting(
        'PORT',
        configDefaults.port,
        'where to listen; 0 picks a free port',
        whole(0, 65_535),
      ),
      host: defaulting(
        'HOST',
        configDefaults.host,
        'the address to listen on; 0.0.0.0 is all of them',
        nameText,
      ),
      demo: toggle('fill an empty folder with a bilingual demo company, and print a key to it'),
      'burst-per-key': defaulting(
        'N',
        configDefaults.burstPerKey,
        'requests a minute and key; 0 is no limit',
        whole(0),
      ),
      'burst-per-ip': defaulting(
        'N',
        configDefaults.burstPerIp,
        'requests a minute and address; 0 is no limit',
        whole(0),
      ),
      'trust-proxy': toggle("take the client's address from the last entry of X-Forwarded-For"),
      scanner: defaulting(
        'builtin|clamd:ADDRESS|none',
        configDefaults.scanner,
        'the virus scanner for uploads; clamd: takes a full PATH or HOST:PORT',
        scannerName,
      ),
      smtp: optional(
        'URL',
        'the mail server, as smtp://user:password@host:587 or smtps://…; others see flags, so use the variable',
        smtpUrl,
      ),
      'mail-from': optional(
        'ADDRESS',
        "the sender of mails, such as 'Majlis <majlis@company.example>'; needed with --smtp",
        mailFrom,
      ),
      http: defaulting(
        'uws|node',
        configDefaults.http,
        'uWebSockets.js, or node:http',
        oneOf(transportNames),
      ),
      log: defaulting(
        'json|off',
        configDefaults.log,
        'log lines on standard error, or none',
        oneOf(['json', 'off'] as const),
      ),
    },
    run: async ({ data, flags, wantsJson }) => {
      const config: Config = {
        data,
        port: flags.port,
        host: flags.host,
        demo: flags.demo,
        burstPerKey: flags['burst-per-key'],
        burstPerIp: flags['burst-per-ip'],
        trustProxy: flags['trust-proxy'],
        http: flags.http,
        log: flags.log,
        scanner: flags.scanner,
        mail: mailSettings(flags.smtp, flags['mail-from']),
      }
      const log = config.log === 'off' ? silentLog : jsonLog(logSink(process.stderr), systemClock)
      // A reader of the log who goes away is no reason to stop.
      process.stderr.on('error', () => {})
      // Listened for before anybody can know that the server is there.
      const stopped = stopSignal()
      const server = await startServer(Object.freeze(config), systemClock, log)
      process.stdout.write(wantsJson ? greetingJson(server) : greeting(server))
      await stopped
      await server.close()
      await lastLines()
      // Another server that hangs must not keep this one: all that was promised to it is written down.
      setTimeout(() => process.exit(), 100).unref()
      return null
    },
  }),
]

function mailSettings(
  smtp: SmtpSettings | undefined,
  from: Mailbox | undefined,
): MailSettings | null {
  if (smtp === undefined && from === undefined) return null
  if (smtp !== undefined && from !== undefined) return { smtp, from }
  throw new UsageFailure('--smtp and --mail-from belong together: give both, or neither.')
}

function smtpUrl(value: string, flag: string): SmtpSettings {
  const settings = readSmtpUrl(value)
  if (settings !== null) return settings
  throw new UsageFailure(`${flag} must be an address such as smtp://user:password@host:587.`)
}

function mailFrom(value: string, flag: string): Mailbox {
  const mailbox = readMailFrom(value)
  if (mailbox !== null) return mailbox
  throw new UsageFailure(
    `${flag} must be an address such as 'Majlis <majlis@company.example>'; '${value}' is not.`,
  )
}

function scannerName(value: string, flag: string): string {
  if (readScannerChoice(value) !== null) return value
  throw new UsageFailure(
    `${flag} must be builtin, none, or clamd: with the full path of a socket or HOST:PORT; '${value}' is not.`,
  )
}

function greetingJson({ url, baseUrl, demo }: RunningServer): string {
  const line: Record<string, unknown> = { url, base_url: baseUrl }
  if (demo) line.demo = { company_id: demo.companyId, key: demo.key }
  return `${JSON.stringify(line)}\n`
}

function greeting({ url, baseUrl, demo, caution }: RunningServer): string {
  const lines = [`Majlis serves at ${baseUrl}`, `The API is described at ${url}/openapi.json`]
  if (demo) {
    lines.push(
      '',
      'The demo company is ready. Its key, not shown again:',
      `  ${demo.key}`,
      'Try it:',
      `  curl -H 'Authorization: Bearer ${demo.key}' ${baseUrl}/projects`,
    )
  }
  if (caution !== null) lines.push('', caution)
  lines.push('', 'Press Ctrl+C to stop.')
  return `${lines.join('\n')}\n`
}

/** Lines that nobody reads would keep the process alive for ever. */
async function lastLines(): Promise<void> {
  if (process.stderr.writableLength === 0) return
  await Promise.race([
    new Promise((resolve) => process.stderr.write('', resolve)),
    new Promise((resolve) => setTimeout(resolve, LOG_PATIENCE)),
  ])
  if (process.stderr.writableLength > 0) process.exit(0)
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}
