import type { Db } from '../../db/database.ts'
import { jobQueue } from '../../db/jobs.ts'

/** An external calendar: the company's (no user) or one person's. */
export interface ConnectionRow {
  id: number
  company_id: number
  user_id: number | null
  url: string
  username: string
  sealed_password: Buffer
}

export interface KeptObject {
  href: string
  etag: string | null
}

export type ConnectionStore = ReturnType<typeof connectionStore>

/** Which calendars are connected, what lies in them, and the promises to bring them into step. */
export function connectionStore(db: Db) {
  const jobs = jobQueue(db, 'calendar')
  const byId = db.prepare<[number], ConnectionRow>(`
    select c.id, c.company_id, c.user_id, c.url, c.username, c.sealed_password
    from calendar_connections c left join users u on u.id = c.user_id
    where c.id = ? and u.deactivated_at is null`)
  const concerned = db
    .prepare<[number, string], number>(`
      select c.id from calendar_connections c
      where c.company_id = ? and coalesce(c.user_id, 0) in (select value from json_each(?))
        and not exists
          (select 1 from users u where u.id = c.user_id and u.deactivated_at is not null)`)
    .pluck()
  const object = db.prepare<[number, string], KeptObject>(
    'select href, etag from calendar_objects where connection_id = ? and ical_uid = ?',
  )
  const keep = db.prepare<[number, string, string, string | null]>(`
    insert into calendar_objects (connection_id, ical_uid, href, etag) values (?, ?, ?, ?)
    on conflict do update set href = excluded.href, etag = excluded.etag`)
  const forget = db.prepare<[number, string]>(
    'delete from calendar_objects where connection_id = ? and ical_uid = ?',
  )
  const setError = db.prepare<[string | null, number]>(
    'update calendar_connections set last_error = ? where id = ?',
  )

  return {
    jobs,

    /** Unless it is that of a person who has left. */
    byId: (id: number): ConnectionRow | undefined => byId.get(id),

    /** The company's calendar and those of the people named shall say what the database says of this event. */
    promise(companyId: number, uid: string, people: Iterable<number>, now: number): void {
      const owners = JSON.stringify([0, ...people])
      for (const id of concerned.all(companyId, owners)) jobs.add(companyId, `${id}:${uid}`, now)
    },

    object: (connectionId: number, uid: string): KeptObject | undefined =>
      object.get(connectionId, uid),

    keep(connectionId: number, uid: string, { href, etag }: KeptObject): void {
      keep.run(connectionId, uid, href, etag)
    },

    forget(connectionId: number, uid: string): void {
      forget.run(connectionId, uid)
    },

    setError(connectionId: number, reason: string | null): void {
      setError.run(reason, connectionId)
    },
  }
}
