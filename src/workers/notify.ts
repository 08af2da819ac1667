import type { GroupCommit } from '../db/commit.ts'
import type { Delivery, outbox } from '../db/notifications.ts'
import { Failure } from '../domain/failure.ts'
import type { Invitation } from '../domain/invitation.ts'
import { composeMail, type Mail, type MailNotice } from '../mail/notice.ts'
import type { Mailer } from '../mail/smtp.ts'
import { queueRunner, type Worker } from './runner.ts'

interface Topic {
  title: string
  body: string | null
  author: string
  project: string
}

export interface NotifyParts {
  outbox: ReturnType<typeof outbox>
  mailer: Mailer
  /** Undefined once it is deleted. */
  topic(companyId: number, ref: string): Topic | undefined
  commit: GroupCommit
  now(): number
  warn(sentence: string): void
  onFault(error: unknown): void
}

const DAY = 24 * 60 * 60_000
const MOST_MAILS = 2

/** A mail is marked as sent after it has left: a crash in between sends it once more, and never loses it. */
export function notifyWorker(parts: NotifyParts): Worker {
  const { outbox, mailer, topic, commit, now, warn, onFault } = parts
  let isFailing = false

  async function run(delivery: Delivery): Promise<void> {
    await send(composeMail(noticeOf(delivery)))
    await commit.run(() => outbox.markSent(delivery, now()))
  }

  async function send(mail: Mail): Promise<void> {
    try {
      await mailer.send(mail)
    } catch (error) {
      if (!isFailing) warn(`A mail could not be sent: ${(error as Error).message}`)
      isFailing = true
      throw error
    }
    if (isFailing) warn('Mails are sent again.')
    isFailing = false
  }

  function noticeOf(delivery: Delivery): MailNotice {
    const { id, at, kind, company_name: name, language, time_zone: timeZone } = delivery
    if (delivery.recipient_left_at !== null) throw new Pointless('The recipient has left.')
    const recipient = { name: delivery.recipient_name, email: delivery.recipient_email }
    const envelope = { id, at, recipient, company: { name, language, timeZone } }
    if (kind !== 'discussion.created') {
      return { ...envelope, kind, invitation: JSON.parse(delivery.payload) as Invitation }
    }
    const ref = delivery.subject_ref
    const found = topic(delivery.company_id, ref)
    if (found === undefined) throw new Pointless('The discussion was deleted.')
    return { ...envelope, kind, discussion: { ...found, ref } }
  }

  function isHopeless(delivery: Delivery, error: unknown): boolean {
    if (error instanceof Pointless) return true
    if ((error as { isPermanent?: boolean }).isPermanent === true) return true
    return delivery.claimed_at !== null && now() - delivery.claimed_at > DAY
  }

  return queueRunner<Delivery>({
    queue: outbox,
    commit,
    atMost: MOST_MAILS,
    run,
    pauses: { first: 2_000, longest: 15 * 60_000 },
    isHopeless,
    now,
    onFault,
  })
}

/** There is nobody, or nothing, to tell any more. */
class Pointless extends Failure {}
