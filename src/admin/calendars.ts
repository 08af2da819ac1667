import type { CalendarAccess } from '../caldav/client.ts'
import { Failure } from '../domain/failure.ts'
import { formatUtc } from '../domain/instant.ts'
import { companyDay } from '../domain/quota-clock.ts'
import { connectionStore } from '../resources/events/connections.ts'
import type { Seal } from '../secrets/seal.ts'
import { findCompany } from './companies.ts'
import { type AdminContext, recordAdministration } from './context.ts'
import { findActiveUser } from './users.ts'

export interface NewConnection extends CalendarAccess {
  companyId: number
  /** Whose calendar it is; null for the company's. */
  email: string | null
}

interface ConnectionRow {
  id: number
  email: string | null
  url: string
  username: string
  waiting: number
  last_error: string | null
  created_at: number
}

/** One for the company, and one a person: connecting another replaces it. What is to come is put into it. */
export function connectCalendar(context: AdminContext, wanted: NewConnection, { seal }: Seal) {
  const { companyId, email, url, username, password } = wanted
  const company = findCompany(context, companyId)
  const userId = email === null ? null : findActiveUser(context, companyId, email).id
  const now = context.now()
  return context.db
    .transaction(() => {
      const before = find(context, companyId, userId)
      const isSame = before?.url === url
      if (!isSame) drop(context, before?.id)
      const id = isSame
        ? renew(context, before.id, username, seal(password))
        : insert(context, companyId, userId, url, username, seal(password))
      promiseUpcoming(context, id, userId, companyId, companyDay(company.time_zone, now).startsAt)
      record(context, 'calendars:connect', `calendar connect ${url}`, companyId)
      return shape(show(context, id))
    })
    .immediate()
}

export function listCalendars(context: AdminContext, companyId: number) {
  findCompany(context, companyId)
  return context.db
    .prepare<[number], ConnectionRow>(`${select} where c.company_id = ? order by c.id desc`)
    .all(companyId)
    .map(shape)
}

/** What lies in it stays there. */
export function disconnectCalendar(context: AdminContext, id: number) {
  return context.db
    .transaction(() => {
      const found = context.db
        .prepare<[number], { company_id: number }>(
          'select company_id from calendar_connections where id = ?',
        )
        .get(id)
      if (found === undefined) {
        throw new Failure(`There is no calendar ${id}: 'majlis calendar list' names them.`)
      }
      const shown = shape(show(context, id))
      drop(context, id)
      record(context, 'calendars:disconnect', `calendar disconnect ${id}`, found.company_id)
      return { disconnected: true, calendar: shown }
    })
    .immediate()
}

const select = `
  select
    c.id, u.email, c.url, c.username, c.last_error, c.created_at,
    (select count(*) from jobs j
     where j.kind = 'calendar' and j.state = 'pending' and j.subject >= c.id || ':' and j.subject < c.id || ';') as waiting
  from calendar_connections c left join users u on u.id = c.user_id`

function show({ db }: AdminContext, id: number): ConnectionRow {
  return db.prepare<[number], ConnectionRow>(`${select} where c.id = ?`).get(id) as ConnectionRow
}

function find({ db }: AdminContext, companyId: number, userId: number | null) {
  return db
    .prepare<[number, number | null], { id: number; url: string }>(`
      select id, url from calendar_connections
      where company_id = ? and coalesce(user_id, 0) = coalesce(?, 0)`)
    .get(companyId, userId)
}

function insert(
  { db, now }: AdminContext,
  companyId: number,
  userId: number | null,
  url: string,
  username: string,
  password: Buffer,
): number {
  const { lastInsertRowid } = db
    .prepare(`
      insert into calendar_connections
        (company_id, user_id, url, username, sealed_password, created_at)
      values (?, ?, ?, ?, ?, ?)`)
    .run(companyId, userId, url, username, password, now())
  return Number(lastInsertRowid)
}

/** The same calendar: what lies in it is known, and what waits for it, or was given up, is tried at once. */
function renew({ db, now }: AdminContext, id: number, username: string, password: Buffer): number {
  db.prepare(`
    update calendar_connections set username = ?, sealed_password = ?, last_error = null
    where id = ?`).run(username, password, id)
  db.prepare(`
    update jobs set
      state = 'pending', run_at = @at, created_at = @at, attempts = 0, claimed_at = null
    where kind = 'calendar' and subject >= @first and subject < @end`).run({
    at: now(),
    first: `${id}:`,
    end: `${id};`,
  })
  return id
}

function drop({ db }: AdminContext, id: number | undefined): void {
  if (id === undefined) return
  db.prepare(`
    delete from jobs where kind = 'calendar' and subject >= ? and subject < ?`).run(
    `${id}:`,
    `${id};`,
  )
  db.prepare('delete from calendar_connections where id = ?').run(id)
}

function promiseUpcoming(
  { db, now }: AdminContext,
  connectionId: number,
  userId: number | null,
  companyId: number,
  from: number,
): void {
  const { jobs } = connectionStore(db)
  const uids = db
    .prepare<{ companyId: number; userId: number | null; from: number }, string>(`
      select e.ical_uid from events e
      where e.company_id = @companyId and e.starts_at >= @from and (@userId is null or exists
        (select 1 from event_people p where p.event_id = e.id and p.user_id = @userId))`)
    .pluck()
    .all({ companyId, userId, from })
  for (const uid of uids) jobs.add(companyId, `${connectionId}:${uid}`, now())
}

function shape(row: ConnectionRow) {
  return {
    id: row.id,
    owner: row.email,
    url: row.url,
    username: row.username,
    waiting: row.waiting,
    last_error: row.last_error,
    created_at: formatUtc(row.created_at),
  }
}

function record(context: AdminContext, operation: string, path: string, companyId: number): void {
  recordAdministration(context, { companyId, operation, path, keyId: null })
}
