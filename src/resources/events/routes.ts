import { isDeepStrictEqual } from 'node:util'
import type { EventFields } from '../../domain/event.ts'
import { excerpt } from '../../domain/text.ts'
import { unprocessable } from '../../http/errors.ts'
import { pageQuery } from '../../http/page.ts'
import { flag, type QueryParameter } from '../../http/query.ts'
import { collection, created, deleted, ok } from '../../http/reply.ts'
import { createdOne, pageOf, route, single } from '../context.ts'
import type { MemberStore } from '../members/store.ts'
import {
  DeletedEvent,
  Event,
  EventChangesBody,
  eventExample,
  NewEventBody,
  shapeEvent,
} from './shape.ts'
import type { EventWithPeople, Person } from './store.ts'
import { readTimes, readWindow } from './times.ts'

const tag = 'Events'

export const eventRoutes = [
  route({
    name: 'listEvents',
    tag,
    summary: 'List events',
    description:
      "Those that the key's creator organizes or is invited to, soonest first: from today on, unless a window or the past is asked for. Dates and times without an offset are the company's; both bounds are part of the window, and a date alone means its whole day.",
    method: 'GET',
    paths: ['/events'],
    operation: 'events:read',
    query: {
      from: bound('What starts then or later.'),
      to: bound('What starts then or earlier.'),
      include_past: flag('Past events too; has no effect beside `from` or `to`.'),
      ...pageQuery,
    },
    refusesQuery: true,
    reply: pageOf(Event, 'One page of events', eventExample),
    handle({ caller, company, now, query }, { events }) {
      const zone = company.timeZone
      const window = readWindow(query, zone, now)
      const found = events.page(caller.creator.id, window, query)
      const total = events.count(caller.creator.id, window)
      return collection(
        found.map((event) => shapeEvent(event, zone)),
        total,
        query,
      )
    },
  }),

  route({
    name: 'createEvent',
    tag,
    summary: 'Create an event',
    description:
      "The key's creator organizes it. Attendees are active people of the company, by e-mail; each is told, and the event goes to connected calendars. Times without an offset are the company's. A date alone is fine for an all-day event.",
    method: 'POST',
    paths: ['/events'],
    operation: 'events:write',
    leavesWork: true,
    query: {},
    body: NewEventBody,
    bodyExample: {
      name: 'اجتماع الافتتاح',
      starts_at: '2026-03-01T09:00',
      ends_at: '2026-03-01T10:00',
      meeting_url: 'https://meet.example/launch',
    },
    reply: createdOne(Event, 'The new event', eventExample),
    handle({ caller, company, now, body }, { events, members }) {
      const zone = company.timeZone
      const { name, description = null, meeting_url: meetingUrl = null, attendee_emails } = body
      const times = readTimes(body, zone, null)
      const attendees = invited(members, company.id, attendee_emails ?? [])
      const identity = { companyId: company.id, organizerId: caller.creator.id, now }
      const fields = { name, description, meetingUrl, ...times }
      return created(shapeEvent(events.create({ ...fields, attendees, ...identity }), zone))
    },
  }),

  route({
    name: 'getEvent',
    tag,
    summary: 'Show an event',
    method: 'GET',
    paths: ['/events/{event_id}'],
    operation: 'events:read',
    query: {},
    reply: single(Event, 'The event', eventExample),
    handle: ({ address: { event_id: event }, company }) => ok(shapeEvent(event, company.timeZone)),
  }),

  route({
    name: 'updateEvent',
    tag,
    summary: 'Change an event',
    description:
      'For its organizer. Only what is sent changes; `attendee_emails` replaces the whole list.',
    method: 'PATCH',
    paths: ['/events/{event_id}'],
    operation: 'events:write',
    onlyOwn: 'event_id',
    leavesWork: true,
    query: {},
    body: EventChangesBody,
    bodyExample: { name: 'اجتماع الافتتاح', meeting_url: 'https://meet.example/launch' },
    reply: single(Event, 'The event as it is now', eventExample),
    handle({ address: { event_id: event }, company, now, body }, { events, members }) {
      const zone = company.timeZone
      const { attendee_emails: emails, name = event.name } = body
      const { description = event.description, meeting_url: meetingUrl = event.meeting_url } = body
      const fields = { name, description, meetingUrl, ...readTimes(body, zone, event) }
      const attendees = emails === undefined ? null : invited(members, company.id, emails ?? [])
      if (isUnchanged(event, fields, attendees)) return ok(shapeEvent(event, zone))
      return ok(shapeEvent(events.update(event, { ...fields, attendees, now }), zone))
    },
  }),

  route({
    name: 'deleteEvent',
    tag,
    summary: 'Delete an event',
    description: 'For its organizer, and for good. Attendees are told that it is cancelled.',
    method: 'DELETE',
    paths: ['/events/{event_id}'],
    operation: 'events:destructive',
    onlyOwn: 'event_id',
    leavesWork: true,
    query: {},
    reply: single(DeletedEvent, 'What was deleted', {
      deleted: true,
      event: { id: eventExample.id, name: eventExample.name },
    }),
    handle({ address: { event_id: event }, now }, { events }) {
      events.remove(event, now)
      return deleted({ event: { id: event.id, name: event.name } })
    },
  }),
]

function bound(description: string): QueryParameter<string | null> {
  const schema = { type: 'string', examples: ['2026-03-01', '2026-03-01T09:00:00+03:00'] }
  return { description, schema, read: (raw) => (raw === '' ? null : raw) }
}

/** Each of them is told who else comes. */
const MOST_ATTENDEES = 500

/** contract: Event. Every bad address is named, and nothing is saved. */
function invited(members: MemberStore, companyId: number, emails: readonly string[]): Person[] {
  if (emails.length > MOST_ATTENDEES) {
    throw unprocessable(`attendee_emails has more than ${MOST_ATTENDEES} addresses`)
  }
  const people = new Map<number, Person>()
  const strangers: string[] = []
  for (const email of emails) {
    const person = members.activeByEmail(companyId, email)
    if (person === undefined) strangers.push(excerpt(email))
    else people.set(person.id, person)
  }
  if (strangers.length > 0) {
    const are = strangers.length === 1 ? 'is no active person' : 'are no active people'
    throw unprocessable(`attendee_emails: ${strangers.join(', ')} ${are} of this company`)
  }
  return [...people.values()]
}

function isUnchanged(
  event: EventWithPeople,
  fields: EventFields,
  attendees: readonly Person[] | null,
): boolean {
  const before: EventFields = {
    name: event.name,
    description: event.description,
    meetingUrl: event.meeting_url,
    startsAt: event.starts_at,
    endsAt: event.ends_at,
    allDay: event.all_day === 1,
  }
  if (!isDeepStrictEqual(before, fields)) return false
  if (attendees === null) return true
  const ids = (people: readonly Person[]): number[] => people.map(({ id }) => id).sort()
  return isDeepStrictEqual(ids(event.attendees), ids(attendees))
}
