import type { Invitation } from '../../src/domain/invitation.ts'
import type { DiscussionNotice, MailNotice } from '../../src/mail/notice.ts'
import { invitation } from '../icalendar/invitations.ts'

type Envelope = Pick<MailNotice, 'recipient' | 'company' | 'id' | 'at'>

const envelope: Envelope = {
  recipient: { name: 'عمر حداد', email: 'omar@company.example' },
  company: { name: 'شركة المثال', language: 'ar', timeZone: 'Asia/Riyadh' },
  id: 12,
  at: Date.parse('2026-02-20T08:00:00Z'),
}

export function inEnglish(notice: MailNotice): MailNotice {
  return { ...notice, company: { ...notice.company, language: 'en' } }
}

export function discussionNotice(changes: Partial<DiscussionNotice> = {}): MailNotice {
  const discussion = {
    title: 'أين نلتقي؟',
    body: 'Hello\n\nمرحبا',
    author: 'Mona',
    project: 'Launch',
    ref: 'dsc_1',
    ...changes,
  }
  return { ...envelope, kind: 'discussion.created', discussion }
}

export function eventNotice(
  changes: Partial<Invitation> = {},
  kind: 'event.created' | 'event.updated' | 'event.cancelled' = 'event.created',
): MailNotice {
  return { ...envelope, kind, invitation: invitation(changes) }
}
