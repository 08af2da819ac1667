import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { notifications } from '../../db/notifications.ts'
import type { EventFields } from '../../domain/event.ts'
import type { Window } from '../../domain/event-window.ts'
import type { Invitation } from '../../domain/invitation.ts'
import { exceeds } from '../../domain/text.ts'
import type { Page } from '../../http/page.ts'
import { calendars, type Invited } from './calendar.ts'
import type { ConnectionStore } from './connections.ts'

export interface EventRow {
  id: number
  company_id: number
  creator_id: number
  name: string
  description: string | null
  starts_at: number
  ends_at: number
  all_day: number
  meeting_url: string | null
  organizer: string
  organizer_email: string
  ical_uid: string
  ical_sequence: number
  time_zone: string
}

export interface Person {
  id: number
  name: string
  email: string
}

interface Attendee extends Person {
  /** Who has left stays on the list, and is told nothing any more. */
  left_at: number | null
}

/** An event with the people invited to it, by name. */
export interface EventWithPeople extends EventRow {
  attendees: Attendee[]
}

export interface NewEvent extends EventFields {
  companyId: number
  organizerId: number
  attendees: readonly Pick<Person, 'id'>[]
  now: number
}

export interface EventChange extends EventFields {
  /** Null leaves them as they are. */
  attendees: readonly Person[] | null
  now: number
}

/** In code points. */
const MOST_TOLD = 6_000

type EventKind = 'event.created' | 'event.updated' | 'event.cancelled'

export type EventStore = ReturnType<typeof eventStore>

export function eventStore(db: Db, connections: Pick<ConnectionStore, 'promise'>) {
  const calendar = calendars(db)
  const outbox = notifications(db)
  const select = `
    select
      e.id, e.company_id, e.organizer_id as creator_id, e.name, e.description, e.starts_at,
      e.ends_at, e.all_day, e.meeting_url, o.name as organizer, o.email as organizer_email,
      e.ical_uid, e.ical_sequence, c.time_zone
    from events e
    join users o on o.id = e.organizer_id
    join companies c on c.id = e.company_id`
  const byId = db.prepare<[number], EventRow>(`${select} where e.id = ?`)
  const byUid = db.prepare<{ uid: string; companyId: number; userId: number | null }, EventRow>(`
    ${select} where e.ical_uid = @uid and e.company_id = @companyId and (@userId is null or exists
      (select 1 from event_people p where p.event_id = e.id and p.user_id = @userId))`)
  const visible = db.prepare<[number, number, number], EventRow>(`
    ${select} where e.id = ? and e.company_id = ? and exists
      (select 1 from event_people p where p.event_id = e.id and p.user_id = ?)`)
  const page = db.prepare<[number, number, number, number, number], EventRow>(`
    ${select} where e.id in
      (select event_id from event_people
       where user_id = ? and starts_at between ? and ?
       order by starts_at, event_id limit ? offset ?)
    order by e.starts_at, e.id`)
  const attendees = db.prepare<[string], Attendee & { event_id: number }>(`
    select p.event_id, u.id, u.name, u.email, u.deactivated_at as left_at
    from event_people p join users u on u.id = p.user_id
    where p.event_id in (select value from json_each(?)) and p.is_attendee = 1
    order by u.name collate nocase, u.id`)
  const insert = db.prepare(`
    insert into events
      (company_id, organizer_id, name, description, starts_at, ends_at, all_day, meeting_url,
       ical_uid, created_at, updated_at)
    values
      (@companyId, @organizerId, @name, @description, @startsAt, @endsAt, @allDay, @meetingUrl,
       @uid, @now, @now)`)
  const update = db.prepare(`
    update events set
      name = @name, description = @description, starts_at = @startsAt, ends_at = @endsAt,
      all_day = @allDay, meeting_url = @meetingUrl, ical_sequence = ical_sequence + 1,
      updated_at = @now
    where id = @id and company_id = @companyId`)
  const remove = db.prepare<[number, number]>('delete from events where id = ? and company_id = ?')

  function withPeople(rows: readonly EventRow[]): EventWithPeople[] {
    const found = new Map<number, Attendee[]>()
    for (const { event_id, ...person } of attendees.all(JSON.stringify(rows.map(({ id }) => id)))) {
      const others = found.get(event_id)
      if (others === undefined) found.set(event_id, [person])
      else others.push(person)
    }
    return rows.map((row) => ({ ...row, attendees: found.get(row.id) ?? [] }))
  }

  function reread(id: number): EventWithPeople {
    const row = byId.get(id)
    if (row === undefined) throw new Error(`Event ${id} is gone after its own write`)
    return withPeople([row])[0] as EventWithPeople
  }

  /** The calendars of all whom it concerns, or has concerned until now. */
  function sync(event: EventRow, people: readonly Person[], now: number): void {
    const ids = [event.creator_id, ...people.map(({ id }) => id)]
    connections.promise(event.company_id, event.ical_uid, ids, now)
  }

  /** spec: Side effects of writes. The organizer knows already. */
  function tell(event: EventWithPeople, kind: EventKind, people: Attendee[], at: number): void {
    const recipients = people
      .filter(({ id, left_at }) => id !== event.creator_id && left_at === null)
      .map(({ id }) => id)
    if (recipients.length === 0) return
    const { company_id: companyId, id } = event
    const payload = invitationOf(event)
    outbox.promise({ companyId, at, kind, subjectRef: String(id), payload }, recipients)
  }

  return {
    /** For whom it is there: its organizer and its attendees. */
    visible(companyId: number, userId: number, id: number): EventWithPeople | undefined {
      const row = visible.get(id, companyId, userId)
      return row && withPeople([row])[0]
    },

    /** One that a person takes part in, or, with nobody named, any of the company. */
    byUid(companyId: number, uid: string, userId: number | null): EventWithPeople | undefined {
      const row = byUid.get({ uid, companyId, userId })
      return row && withPeople([row])[0]
    },

    /** What starts within the window, soonest first. */
    page(userId: number, { from, to }: Window, { limit, offset }: Page): EventWithPeople[] {
      return withPeople(page.all(userId, from, to, limit, offset))
    },

    count: (userId: number, window: Window): number => calendar.count(userId, window),

    create({ companyId, organizerId, attendees: invited, now, ...fields }: NewEvent) {
      const made = insert.run({ ...bound(fields), companyId, organizerId, uid: randomUUID(), now })
      const id = Number(made.lastInsertRowid)
      calendar.enter(id, fields.startsAt, everybody(organizerId, invited))
      const event = reread(id)
      tell(event, 'event.created', event.attendees, now)
      sync(event, event.attendees, now)
      return event
    },

    update(event: EventWithPeople, { attendees: invited, now, ...fields }: EventChange) {
      const { id, company_id: companyId, creator_id: organizerId } = event
      update.run({ ...bound(fields), id, companyId, now })
      calendar.strike(id)
      calendar.enter(id, fields.startsAt, everybody(organizerId, invited ?? event.attendees))
      const changed = reread(id)
      const before = new Set(event.attendees.map((person) => person.id))
      const after = new Set(changed.attendees.map((person) => person.id))
      const isNew = (person: Person): boolean => !before.has(person.id)
      const isGone = (person: Person): boolean => !after.has(person.id)
      tell(changed, 'event.created', changed.attendees.filter(isNew), now)
      tell(
        changed,
        'event.updated',
        changed.attendees.filter((person) => !isNew(person)),
        now,
      )
      // Those who are not invited any more are told of the event they knew.
      const { ical_sequence } = changed
      tell({ ...event, ical_sequence }, 'event.cancelled', event.attendees.filter(isGone), now)
      sync(event, [...event.attendees, ...changed.attendees], now)
      return changed
    },

    remove(event: EventWithPeople, now: number): void {
      calendar.strike(event.id)
      remove.run(event.id, event.company_id)
      const ical_sequence = event.ical_sequence + 1
      tell({ ...event, ical_sequence }, 'event.cancelled', event.attendees, now)
      sync(event, event.attendees, now)
    },
  }
}

export function invitationOf(event: EventWithPeople): Invitation {
  return {
    uid: event.ical_uid,
    sequence: event.ical_sequence,
    name: event.name,
    description: event.description === null ? null : firstLetters(event.description),
    startsAt: event.starts_at,
    endsAt: event.ends_at,
    allDay: event.all_day === 1,
    meetingUrl: event.meeting_url,
    organizer: { name: event.organizer, email: event.organizer_email },
    attendees: event.attendees.map(({ name, email }) => ({ name, email })),
    timeZone: event.time_zone,
  }
}

/** A mail shows no more of it, and each that is invited keeps a copy. */
function firstLetters(text: string): string {
  return exceeds(text, MOST_TOLD) ? `${[...text].slice(0, MOST_TOLD).join('')}…` : text
}

function everybody(organizerId: number, invited: readonly Pick<Person, 'id'>[]): Invited[] {
  const attendees = new Set(invited.map(({ id }) => id))
  return [...new Set([organizerId, ...attendees])].map((id) => ({
    id,
    isOrganizer: id === organizerId,
    isAttendee: attendees.has(id),
  }))
}

function bound({ allDay, ...fields }: EventFields) {
  return { ...fields, allDay: Number(allDay) }
}
