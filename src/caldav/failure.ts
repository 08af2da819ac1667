import { Failure } from '../domain/failure.ts'

/** A sentence for the operator. It names the host, and never repeats what the server said: that may echo the password. */
export class CalendarFailure extends Failure {
  /** Trying again is of no use until somebody mends the calendar's address, user or rights. */
  readonly isPermanent: boolean

  constructor(message: string, { isPermanent = false }: { isPermanent?: boolean } = {}) {
    super(message)
    this.isPermanent = isPermanent
  }
}

export function permanent(message: string): CalendarFailure {
  return new CalendarFailure(message, { isPermanent: true })
}

export function temporary(message: string): CalendarFailure {
  return new CalendarFailure(message)
}

/** The beginning of nearly every sentence. */
export function serverAt(url: URL): string {
  return `The calendar server at ${url.host}`
}

const OWN_CERTIFICATE = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'])

const UNKNOWN_AUTHORITY = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
])

const TRUST =
  'give it a certificate of a known authority, or name a file with its certificate in NODE_EXTRA_CA_CERTS and restart Majlis'

/** What a connection died of. */
export function cut(url: URL, code: string, wasConnected: boolean): CalendarFailure {
  const at = serverAt(url)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') {
    return temporary(
      `The name ${url.hostname} of the calendar server is not found (${code}): see that it is spelled right, and that DNS works on this machine.`,
    )
  }
  if (OWN_CERTIFICATE.has(code)) {
    return temporary(`${at} shows a self-signed certificate (${code}): ${TRUST}.`)
  }
  if (UNKNOWN_AUTHORITY.has(code)) {
    return temporary(`${at} shows a certificate of an unknown authority (${code}): ${TRUST}.`)
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return temporary(
      `${at} shows a certificate for another name (${code}): use the name in the certificate, or have it issued for ${url.hostname}.`,
    )
  }
  if (code.startsWith('CERT_')) {
    return temporary(
      `${at} shows a certificate that is not valid now (${code}): renew it there, and see that the clock of this machine is right.`,
    )
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    return temporary(
      `${at} does not speak TLS as it should (${code}): see that its port is the one for https, or use http in the address.`,
    )
  }
  if (code.startsWith('HPE_')) {
    return temporary(
      `${at} answers what is not HTTP (${code}): see that the address is right, and whether that port wants https.`,
    )
  }
  return wasConnected
    ? temporary(
        `${at} broke off (${code}): look into its log, and see whether that port wants https.`,
      )
    : temporary(`${at} does not answer (${code}): see that it runs, and that the address is right.`)
}

export function tooSlow(url: URL, patience: number): CalendarFailure {
  return temporary(
    `${serverAt(url)} was not done after ${patience / 1000} s: see whether it hangs or has too much to do, and restart it.`,
  )
}

export function tooLarge(url: URL, mostBytes: number): CalendarFailure {
  return temporary(
    `${serverAt(url)} answers with more than ${mostBytes} bytes: see that the address names a calendar.`,
  )
}

export function garbled(url: URL, what: string): CalendarFailure {
  return temporary(
    `${serverAt(url)} answers ${what}: look into its log, and see that the address names a CalDAV calendar.`,
  )
}

export function forbiddenAddress(url: URL): CalendarFailure {
  return permanent(
    `${url.host} is a link-local, metadata or multicast address, or its name leads to one, and Majlis never connects to these: connect the calendar with another address.`,
  )
}
