import { createHash } from 'node:crypto'
import type { Invitation, Mailbox } from '../domain/invitation.ts'
import { isWebAddress } from '../domain/link-source.ts'
import { calendarText } from '../icalendar/event.ts'
import { cut, type Fact, htmlOf, type Page, type Part, textOf } from './page.ts'
import { type Language, periodText, timeText } from './when.ts'
import { type NoticeKind, WORDING } from './wording.ts'

export type MailNotice = {
  readonly recipient: Mailbox
  readonly company: Company
  readonly id: number
  /** When what it tells of happened, in UTC milliseconds. */
  readonly at: number
} & (
  | { readonly kind: 'discussion.created'; readonly discussion: DiscussionNotice }
  | { readonly kind: Exclude<NoticeKind, 'discussion.created'>; readonly invitation: Invitation }
)

interface Company {
  readonly name: string
  readonly language: Language
  readonly timeZone: string
}

export interface DiscussionNotice {
  readonly title: string
  /** Plain text. */
  readonly body: string | null
  readonly author: string
  readonly project: string
  readonly ref: string
}

export interface Mail {
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly calendar?: { readonly method: 'REQUEST' | 'CANCEL'; readonly text: string }
  readonly messageId: string
}

/** In code points. Gmail cuts a page off at 102 kB, and a letter takes six bytes at most (`&quot;`). */
const LONGEST_BODY = 6_000
const LONGEST_NAME = 200
const LONGEST_SUBJECT_NAME = 100
const LONGEST_PERSON = 80
const MOST_PEOPLE = 15

export function composeMail(notice: MailNotice): Mail {
  const page = pageOf(notice)
  const mail = {
    to: notice.recipient,
    subject: page.title,
    text: textOf(page),
    html: htmlOf(page),
    messageId: messageIdOf(notice),
  }
  if (notice.kind === 'discussion.created') return mail
  const method = notice.kind === 'event.cancelled' ? 'CANCEL' : 'REQUEST'
  const text = calendarText(notice.invitation, { method, stamp: notice.at })
  return { ...mail, calendar: { method, text } }
}

function pageOf(notice: MailNotice): Page {
  const languages: Language[] = notice.company.language === 'ar' ? ['ar', 'en'] : ['en', 'ar']
  const [name, body] =
    notice.kind === 'discussion.created'
      ? [notice.discussion.title, notice.discussion.body]
      : [notice.invitation.name, notice.invitation.description]
  const subjects = languages.map((each) => WORDING[each].subjects[notice.kind])
  return {
    title: `${subjects.join(' · ')}: ${line(name, LONGEST_SUBJECT_NAME)}`,
    parts: languages.map((each) => partOf(notice, each)),
    body: body === null ? null : paragraphs(body),
  }
}

function partOf(notice: MailNotice, language: Language): Part {
  const { headings, footer } = WORDING[language]
  const { at, company } = notice
  return {
    language,
    heading: headings[notice.kind],
    facts:
      notice.kind === 'discussion.created'
        ? discussionFacts(notice.discussion, timeText(at, company.timeZone, language), language)
        : invitationFacts(notice.invitation, language),
    footer: footer(line(company.name, LONGEST_NAME)),
  }
}

function discussionFacts(discussion: DiscussionNotice, time: string, language: Language): Fact[] {
  const { labels } = WORDING[language]
  return [
    { label: labels.discussion, values: [line(discussion.title, LONGEST_NAME)] },
    { label: labels.project, values: [line(discussion.project, LONGEST_NAME)] },
    { label: labels.author, values: [line(discussion.author, LONGEST_PERSON)] },
    { label: labels.time, values: [time] },
  ]
}

function invitationFacts(invitation: Invitation, language: Language): Fact[] {
  const { labels } = WORDING[language]
  const { name, meetingUrl, organizer, attendees } = invitation
  const facts: Fact[] = [
    { label: labels.event, values: [line(name, LONGEST_NAME)] },
    { label: labels.when, values: [periodText(invitation, language)] },
  ]
  if (meetingUrl !== null && isWebAddress(meetingUrl)) {
    facts.push({ label: labels.meeting, values: [meetingUrl], isLink: true })
  }
  facts.push({ label: labels.organizer, values: [personName(organizer)] })
  if (attendees.length > 0) {
    facts.push({ label: labels.attendees, values: peopleNames(attendees, language) })
  }
  return facts
}

function peopleNames(people: readonly Mailbox[], language: Language): string[] {
  const names = people.slice(0, MOST_PEOPLE).map(personName)
  const missing = people.length - names.length
  return missing === 0 ? names : [...names, WORDING[language].others(missing)]
}

function personName({ name, email }: Mailbox): string {
  return line(name, LONGEST_PERSON) || line(email, LONGEST_PERSON)
}

/** Without what turns the direction of the text around it. */
function line(text: string, limit: number): string {
  const plain = text.toWellFormed().replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
  return cut(plain.replace(/[\s\p{Cc}]+/gu, ' ').trim(), limit)
}

function paragraphs(text: string): string | null {
  const plain = text
    .toWellFormed()
    .replace(/\r\n?|[\v\f\x85\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
  return plain === '' ? null : cut(plain, LONGEST_BODY)
}

/**
 * The same whenever this notification is sent to this person, and on no other server: mailboxes drop a second mail
 * that has the identifier of one they hold.
 */
function messageIdOf({ id, at, recipient }: MailNotice): string {
  const digest = createHash('sha256').update(`${id}\n${at}\n${recipient.email}`).digest('hex')
  return `<notification-${id}.${digest.slice(0, 20)}@majlis.invalid>`
}
