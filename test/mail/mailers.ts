import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { MailFailure } from '../../src/mail/mail-failure.ts'
import { composeMail } from '../../src/mail/notice.ts'
import { type Mailer, readSmtpUrl, type SmtpOptions, smtpMailer } from '../../src/mail/smtp.ts'
import { discussionNotice } from './notices.ts'

const FROM = 'مجلس <majlis@company.example>'
export const PASSWORD = 'hush-9f3b'
export const login = { user: 'majlis', password: PASSWORD }
export const mail = composeMail(discussionNotice())

export function mailerOf(t: TestContext, url: string, options: SmtpOptions = {}): Mailer {
  const settings = readSmtpUrl(url)
  assert.ok(settings, url)
  const mailer = smtpMailer(settings, FROM, { patience: 5_000, ...options })
  t.after(() => mailer.close())
  return mailer
}

export async function failure(promise: Promise<unknown>): Promise<MailFailure> {
  const error = await promise.then(
    () => assert.fail('it was sent'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof MailFailure, String(error))
  for (const text of [error.message, error.stack, JSON.stringify(error)]) {
    assert.ok(!text?.includes(PASSWORD) && !text?.includes(btoa(PASSWORD)), 'the password is told')
  }
  assert.doesNotMatch(error.message, /\p{Cc}|undefined/u)
  return error
}
