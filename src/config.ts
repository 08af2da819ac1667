import type { Mailbox } from './domain/invitation.ts'
import type { TransportName } from './http/server.ts'
import type { SmtpSettings } from './mail/smtp.ts'

/** How a server is started; every setting is a flag of `serve` and a MAJLIS_… variable. */
export interface Config {
  readonly data: string
  readonly port: number
  readonly host: string
  readonly demo: boolean
  readonly burstPerKey: number
  readonly burstPerIp: number
  readonly trustProxy: boolean
  readonly http: TransportName
  readonly log: 'json' | 'off'
  /** As its flag takes it, which has refused all else. */
  readonly scanner: string
  /** Null sends no mail: notifications stay rows. */
  readonly mail: MailSettings | null
}

export interface MailSettings {
  readonly smtp: SmtpSettings
  readonly from: Mailbox
}

export const configDefaults: Config = {
  data: './data',
  port: 8080,
  host: '127.0.0.1',
  demo: false,
  burstPerKey: 300,
  burstPerIp: 300,
  trustProxy: false,
  http: 'uws',
  log: 'json',
  scanner: 'builtin',
  mail: null,
}
