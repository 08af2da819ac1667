import { createTransport } from 'nodemailer'
import { Failure } from '../domain/failure.ts'
import type { Mailbox } from '../domain/invitation.ts'
import { excerpt } from '../domain/text.ts'
import { MailFailure, mailFailure } from './mail-failure.ts'
import type { Mail } from './notice.ts'
import {
  isLoopback,
  isMailAddress,
  readMailFrom,
  type SmtpSettings,
  smtpAddressText,
} from './smtp-settings.ts'

export { readMailFrom, readSmtpUrl, type SmtpSettings } from './smtp-settings.ts'

export interface Mailer {
  /** Resolves once the server has taken the mail over; else rejects with a MailFailure. */
  send(mail: Mail): Promise<void>
  /** Connects and logs in, and answers with a sentence that says so. */
  verify(): Promise<string>
  close(): void
}

export interface SmtpOptions {
  /** How long a server may be silent, in milliseconds; a whole mail may take twice as long. */
  readonly patience?: number
  /** Authorities to trust instead of those of Node.js, in PEM. */
  readonly ca?: string
}

/** A server may look at the whole mail before it answers: given up too early, it arrives twice. */
const PATIENCE = 120_000
const LONGEST_CONNECT = 20_000
const IDLE = 30_000
const MOST_CONNECTIONS = 2

export function smtpMailer(
  settings: SmtpSettings,
  from: Mailbox | string,
  { patience = PATIENCE, ca }: SmtpOptions = {},
): Mailer {
  const sender = typeof from === 'string' ? readMailFrom(from) : from
  if (sender === null || !isMailAddress(sender.email)) {
    throw new Failure(
      'The sender of mails must be an address, such as Majlis <majlis@company.example>.',
    )
  }
  let pool = openPool()
  let isClosed = false

  function openPool() {
    return createTransport({
      pool: true,
      maxConnections: MOST_CONNECTIONS,
      maxRequeues: 1,
      idleTimeout: IDLE,
      host: settings.host,
      port: settings.port,
      connectionTimeout: Math.min(patience, LONGEST_CONNECT),
      greetingTimeout: Math.min(patience, LONGEST_CONNECT),
      dnsTimeout: Math.min(patience, LONGEST_CONNECT),
      socketTimeout: patience,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...protection(settings, ca),
    })
  }

  /** A server that says a little now and then is never silent: its connections are cut. */
  async function inTime<T>(promise: Promise<T>): Promise<T> {
    const used = pool
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' }))
        used.close({ force: true })
        if (pool === used && !isClosed) pool = openPool()
      }, 2 * patience).unref()
    })
    return Promise.race([promise, late]).finally(() => clearTimeout(timer))
  }

  return {
    async send(mail) {
      const { email } = mail.to
      if (!isMailAddress(email)) {
        const message = `No mail can be sent to ${excerpt(email)}: correct the address of this person.`
        throw new MailFailure(message, { isPermanent: true })
      }
      try {
        await inTime(pool.sendMail(messageOf(mail, sender)))
      } catch (error) {
        throw mailFailure(error, settings, email)
      }
    },
    async verify() {
      try {
        await inTime(pool.verify())
      } catch (error) {
        throw mailFailure(error, settings)
      }
      const { login } = settings
      const as = login === null ? 'without a login' : `with the login of ${excerpt(login.user)}`
      return `The mail server ${smtpAddressText(settings)} answers, ${as}.`
    },
    close() {
      isClosed = true
      pool.close({ force: true })
    },
  }
}

/**
 * A password leaves this machine over TLS only, to a server that proved its name. Without one, TLS is taken where it
 * is offered, whoever offers it: who can forge a certificate could as well hide the offer. On this machine nobody
 * listens in, and certificates are rarely made for `localhost`.
 */
function protection({ host, isSecure, login }: SmtpSettings, ca: string | undefined) {
  const isLocal = isLoopback(host)
  const mustProve = !isLocal && (isSecure || login !== null)
  return {
    secure: isSecure,
    requireTLS: !isSecure && mustProve,
    opportunisticTLS: !isSecure && !mustProve,
    tls: { rejectUnauthorized: mustProve, minVersion: 'TLSv1.2' as const, ...(ca && { ca }) },
    ...(login && {
      auth: { user: login.user, pass: login.password },
      // Else nodemailer sends without the login where the server does not ask for one.
      forceAuth: true,
    }),
  }
}

function messageOf({ to, subject, text, html, calendar, messageId }: Mail, sender: Mailbox) {
  return {
    from: address(sender),
    to: address(to),
    envelope: { from: sender.email, to: [to.email] },
    subject: oneLine(subject),
    messageId: oneLine(messageId),
    text,
    html,
    headers: {
      // No answer of a machine, such as that somebody is on leave (RFC 3834; the second for Exchange).
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
    },
    // Gmail and Outlook offer their buttons for the alternative; Apple and many others want the attachment.
    ...(calendar && {
      icalEvent: { method: calendar.method, filename: 'invite.ics', content: calendar.text },
    }),
  }
}

function address({ name, email }: Mailbox): { name: string; address: string } {
  return { name: oneLine(name), address: email }
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
