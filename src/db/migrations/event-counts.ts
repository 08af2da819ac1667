import type { Db } from '../database.ts'

/** Version 3 had a place for events but no way to make one, so there is nothing to count. */
export function addEventCounts(db: Db): void {
  db.exec(`create table event_counts (
  user_id integer not null references users (id),
  span text not null check (span in ('season', 'day', 'quarter')),
  bucket integer not null,
  events_count integer not null check (events_count >= 0),
  primary key (user_id, span, bucket)
) strict, without rowid`)
  db.exec(
    `create index notifications_waiting on notifications (recipient_id, subject_ref, id) where state = 'pending'`,
  )
}
