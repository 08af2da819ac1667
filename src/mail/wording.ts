import type { Language } from './when.ts'

export type NoticeKind =
  | 'discussion.created'
  | 'event.created'
  | 'event.updated'
  | 'event.cancelled'

type Label =
  | 'discussion'
  | 'project'
  | 'author'
  | 'time'
  | 'event'
  | 'when'
  | 'meeting'
  | 'organizer'
  | 'attendees'

export interface Wording {
  readonly dir: 'rtl' | 'ltr'
  readonly subjects: Readonly<Record<NoticeKind, string>>
  readonly headings: Readonly<Record<NoticeKind, string>>
  readonly labels: Readonly<Record<Label, string>>
  readonly comma: string
  others(count: number): string
  footer(company: string): string
}

export const WORDING: Readonly<Record<Language, Wording>> = {
  ar: {
    dir: 'rtl',
    subjects: {
      'discussion.created': 'مناقشة جديدة',
      'event.created': 'دعوة',
      'event.updated': 'تحديث الدعوة',
      'event.cancelled': 'إلغاء',
    },
    headings: {
      'discussion.created': 'مناقشة جديدة',
      'event.created': 'أنت مدعو إلى حدث',
      'event.updated': 'تغيّرت تفاصيل الحدث',
      'event.cancelled': 'أُلغي الحدث',
    },
    labels: {
      discussion: 'العنوان',
      project: 'المشروع',
      author: 'الكاتب',
      time: 'الوقت',
      event: 'الحدث',
      when: 'الموعد',
      meeting: 'رابط الاجتماع',
      organizer: 'المنظّم',
      attendees: 'المدعوون',
    },
    comma: '، ',
    others: (count) => `وآخرون (${count})`,
    footer: (company) => `أرسل مجلس هذه الرسالة نيابةً عن ${company}.`,
  },
  en: {
    dir: 'ltr',
    subjects: {
      'discussion.created': 'New discussion',
      'event.created': 'Invitation',
      'event.updated': 'Updated invitation',
      'event.cancelled': 'Cancelled',
    },
    headings: {
      'discussion.created': 'New discussion',
      'event.created': 'You are invited to an event',
      'event.updated': 'The event has changed',
      'event.cancelled': 'The event was cancelled',
    },
    labels: {
      discussion: 'Title',
      project: 'Project',
      author: 'Author',
      time: 'Time',
      event: 'Event',
      when: 'When',
      meeting: 'Meeting link',
      organizer: 'Organizer',
      attendees: 'Invited',
    },
    comma: ', ',
    others: (count) => `and ${count} more`,
    footer: (company) => `Majlis sent this message for ${company}.`,
  },
}
