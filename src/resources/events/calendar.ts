import type { Db } from '../../db/database.ts'
import {
  type Buckets,
  countWindow,
  type Span,
  spans,
  type Window,
} from '../../domain/event-window.ts'

export interface Invited {
  id: number
  isOrganizer: boolean
  isAttendee: boolean
}

/** Whose calendar an event stands in, in the order of time, with counts that no long calendar makes slow. */
export function calendars(db: Db) {
  const people = db.prepare<[number], { user_id: number; starts_at: number }>(
    'select user_id, starts_at from event_people where event_id = ?',
  )
  const insert = db.prepare(`
    insert into event_people (user_id, starts_at, event_id, is_organizer, is_attendee)
    values (@userId, @startsAt, @eventId, @isOrganizer, @isAttendee)`)
  const remove = db.prepare<[number]>('delete from event_people where event_id = ?')
  const countUp = db.prepare<[number, Span, number]>(`
    insert into event_counts (user_id, span, bucket, events_count) values (?, ?, ?, 1)
    on conflict do update set events_count = events_count + 1`)
  const countDown = db.prepare<[number, Span, number]>(`
    update event_counts set events_count = events_count - 1
    where user_id = ? and span = ? and bucket = ?`)
  const dropEmpty = db.prepare<[number, Span, number]>(`
    delete from event_counts where user_id = ? and span = ? and bucket = ? and events_count = 0`)
  const sum = db
    .prepare<[number, string, number, number], number>(`
      select coalesce(sum(events_count), 0) from event_counts
      where user_id = ? and span = ? and bucket >= ? and bucket < ?`)
    .pluck()
  const count = db
    .prepare<[number, number, number], number>(`
      select count(*) from event_people where user_id = ? and starts_at between ? and ?`)
    .pluck()

  function add(userId: number, startsAt: number): void {
    for (const { span, length } of spans) countUp.run(userId, span, Math.floor(startsAt / length))
  }

  function take(userId: number, startsAt: number): void {
    for (const { span, length } of spans) {
      const bucket = Math.floor(startsAt / length)
      countDown.run(userId, span, bucket)
      dropEmpty.run(userId, span, bucket)
    }
  }

  return {
    enter(eventId: number, startsAt: number, invited: readonly Invited[]): void {
      for (const { id: userId, isOrganizer, isAttendee } of invited) {
        const roles = { isOrganizer: Number(isOrganizer), isAttendee: Number(isAttendee) }
        insert.run({ userId, startsAt, eventId, ...roles })
        add(userId, startsAt)
      }
    },

    strike(eventId: number): void {
      for (const { user_id, starts_at } of people.all(eventId)) take(user_id, starts_at)
      remove.run(eventId)
    },

    count(userId: number, window: Window): number {
      const buckets: Buckets = {
        sum: (span, from, until) => sum.get(userId, span, from, until) ?? 0,
        count: (from, to) => count.get(userId, from, to) ?? 0,
      }
      return countWindow(window, buckets)
    },
  }
}
