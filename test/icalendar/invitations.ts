import type { Invitation } from '../../src/domain/invitation.ts'

export function invitation(changes: Partial<Invitation> = {}): Invitation {
  return {
    uid: '7-42@majlis.example',
    sequence: 3,
    name: 'اجتماع الافتتاح',
    description: 'جدول الأعمال',
    startsAt: Date.parse('2026-03-01T06:00:00Z'),
    endsAt: Date.parse('2026-03-01T07:30:00Z'),
    allDay: false,
    meetingUrl: 'https://meet.example/launch',
    organizer: { name: 'منى العتيبي', email: 'mona@company.example' },
    attendees: [{ name: 'Omar Haddad', email: 'omar@company.example' }],
    timeZone: 'Asia/Riyadh',
    ...changes,
  }
}
