import * as v from 'valibot'
import {
  bool,
  dateTime,
  email,
  longText,
  name,
  personEmail,
  webAddress,
} from '../../domain/fields.ts'
import { formatInZone } from '../../domain/zone-offset.ts'
import type { EventWithPeople } from './store.ts'

export const Event = v.object({
  id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  description: v.nullable(v.string()),
  starts_at: dateTime(),
  ends_at: dateTime(),
  all_day: v.boolean(),
  meeting_url: v.nullable(v.string()),
  organizer: v.nullable(v.string()),
  organizer_email: v.nullable(email()),
  attendees: v.array(v.object({ name: v.string(), email: email() })),
})

const optionalFields = {
  description: v.optional(v.nullable(longText())),
  all_day: v.optional(bool()),
  meeting_url: v.optional(v.nullable(webAddress())),
  attendee_emails: v.optional(
    v.nullable(v.array(personEmail(), 'must be a list of e-mail addresses')),
  ),
}

export const NewEventBody = v.object({
  name: name(),
  starts_at: moment(),
  ends_at: moment(),
  ...optionalFields,
})

export const EventChangesBody = v.object({
  name: v.optional(name()),
  starts_at: v.optional(moment()),
  ends_at: v.optional(moment()),
  ...optionalFields,
})

export const DeletedEvent = v.object({
  deleted: v.literal(true),
  event: v.object({ id: v.pipe(v.number(), v.integer()), name: v.string() }),
})

/** Times are shown as the clocks of the company show them. */
export function shapeEvent(row: EventWithPeople, timeZone: string): v.InferOutput<typeof Event> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    starts_at: formatInZone(row.starts_at, timeZone),
    ends_at: formatInZone(row.ends_at, timeZone),
    all_day: row.all_day === 1,
    meeting_url: row.meeting_url,
    organizer: row.organizer,
    organizer_email: row.organizer_email,
    attendees: row.attendees.map((person) => ({ name: person.name, email: person.email })),
  }
}

/** Which instant it is depends on the company's zone: the route reads it. */
function moment() {
  return v.string((issue) =>
    issue.received === 'null' ? "can't be blank" : 'must be a date and time in ISO 8601',
  )
}

export const eventExample = {
  id: 12,
  name: 'اجتماع الافتتاح',
  description: null,
  starts_at: '2026-03-01T09:00:00+03:00',
  ends_at: '2026-03-01T10:00:00+03:00',
  all_day: false,
  meeting_url: 'https://meet.example/launch',
  organizer: 'Sara Ahmed',
  organizer_email: 'sara@nakheel.example',
  attendees: [{ name: 'أحمد الشمري', email: 'ahmad@nakheel.example' }],
} satisfies v.InferOutput<typeof Event>
