import { Failure } from '../domain/failure.ts'
import { excerpt } from '../domain/text.ts'
import { type SmtpSettings, smtpAddressText } from './smtp-settings.ts'

/** A mail that did not leave. A permanent one would be refused again; the others are worth another try. */
export class MailFailure extends Failure {
  override name = 'MailFailure'
  readonly isPermanent: boolean

  constructor(message: string, { isPermanent }: { isPermanent: boolean }) {
    super(message)
    this.isPermanent = isPermanent
  }
}

/** What nodemailer says of a failure. */
interface Reported {
  readonly code?: string
  /** Of the system, such as ECONNREFUSED. */
  readonly originalCode?: string
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
  readonly message?: string
}

/** The mail server asks for a login, or for another one: every mail would get this answer. */
const LOGIN_CODES = [530, 534, 535, 538]
/** RFC 5321, 4.5.3.1.10: too many recipients, said with the code of old; nothing is wrong with this one. */
const TOO_MANY = 552
/** RFC 3463: rules of the server, such as whose mail it relays and whom it blocks, and not the address. */
const RULES = /^\d{3}[ -]5\.7\.|\brelay/i
/** It does not know the command. */
const UNKNOWN = [500, 502, 504]

/** `error` is what nodemailer threw: neither it nor its text is passed on, as it may hold a login. */
export function mailFailure(error: unknown, settings: SmtpSettings, to?: string): MailFailure {
  const reported: Reported = typeof error === 'object' && error !== null ? error : {}
  return (
    noProtection(reported, settings) ??
    refusedLogin(reported, settings) ??
    refusedMail(reported, settings, to) ??
    noTalk(reported, settings)
  )
}

function noProtection(reported: Reported, settings: SmtpSettings): MailFailure | undefined {
  const { code = '', originalCode = code, message = '' } = reported
  const isAbout = /CERT|SSL|TLS/.test(originalCode) || /certificate/i.test(message)
  if (code !== 'ETLS' && !isAbout) return undefined
  const cause = /certificate/i.test(message) ? excerpt(message) : originalCode
  return temporary(
    `No safe connection to the mail server ${smtpAddressText(settings)} (${cause}): it must offer TLS with a certificate that is valid for its name; name the authority of a private one in NODE_EXTRA_CA_CERTS.`,
  )
}

function refusedLogin(reported: Reported, settings: SmtpSettings): MailFailure | undefined {
  const { code, responseCode } = reported
  const at = smtpAddressText(settings)
  if (code !== 'EAUTH' && !(responseCode && LOGIN_CODES.includes(responseCode))) return undefined
  const answer = responseCode ? ` (${responseCode})` : ''
  if (settings.login === null) {
    return temporary(
      `The mail server ${at} wants a login${answer}: put user and password into --smtp, as smtp://USER:PASSWORD@HOST:PORT.`,
    )
  }
  if (responseCode && UNKNOWN.includes(responseCode)) {
    return temporary(
      `The mail server ${at} takes no logins${answer}: leave user and password out of --smtp, or correct its port.`,
    )
  }
  return temporary(
    `The mail server ${at} refuses the login of ${excerpt(settings.login.user)}${answer}: correct the user and the password, percent-encoded, in --smtp.`,
  )
}

function refusedMail(
  { responseCode, response, command = '' }: Reported,
  settings: SmtpSettings,
  to = '',
): MailFailure | undefined {
  if (responseCode === undefined || response === undefined) return undefined
  const answered = `The mail server ${smtpAddressText(settings)} answered ${excerpt(response)}`
  if (responseCode < 500 || responseCode === 503) {
    return temporary(`${answered}: it asks to try later; if it goes on, look into its log.`)
  }
  if (command === 'RCPT TO') {
    if (RULES.test(response)) {
      return temporary(
        `${answered} for ${excerpt(to)}: let it take mail of this machine, or give a login in --smtp.`,
      )
    }
    if (responseCode === TOO_MANY) return temporary(`${answered}: it is tried again later.`)
    return permanent(`${answered} for ${excerpt(to)}: correct the address of this person.`)
  }
  if (command === 'DATA') {
    return permanent(`${answered} to the mail for ${excerpt(to)}: ask who runs that server why.`)
  }
  if (command === 'MAIL FROM') {
    return temporary(`${answered} to the sender: give an address that it accepts as --mail-from.`)
  }
  return temporary(`${answered}: see that it is a mail server, and look into its log.`)
}

function noTalk(reported: Reported, settings: SmtpSettings): MailFailure {
  const { code = '', originalCode } = reported
  const at = smtpAddressText(settings)
  const cause = originalCode ?? code
  if (cause === 'ECONNREFUSED') {
    return temporary(`Nothing listens at ${at}: start the mail server, or correct --smtp.`)
  }
  if (code === 'EDNS' || /^(ENOTFOUND|EAI_AGAIN)$/.test(cause)) {
    return temporary(
      `The name of the mail server ${at} is not found (${cause}): correct it, or mend the name service of this machine.`,
    )
  }
  if (code === 'ETIMEDOUT') {
    return temporary(
      `The mail server ${at} does not answer in time: see that it is up, and that no firewall is in between.`,
    )
  }
  return temporary(
    `The mail server ${at} hung up (${cause || 'no reason given'}): look into its log.`,
  )
}

function temporary(message: string): MailFailure {
  return new MailFailure(message, { isPermanent: false })
}

function permanent(message: string): MailFailure {
  return new MailFailure(message, { isPermanent: true })
}
