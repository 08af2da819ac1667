import type { Db } from '../db/database.ts'
import { serverSettings } from '../db/settings.ts'
import type { Finding } from './findings.ts'

interface Waiting {
  waiting: number
  failed: number
  reason: string | null
}

/** What is still to be told to people and calendars; that something waits is no damage. */
export function checkOutbox(db: Db): Finding[] {
  return [notifications(db), calendars(db)]
}

function notifications(db: Db): Finding {
  const { waiting, failed, reason } = db
    .prepare<[], Waiting>(`
      select
        (select count(*) from notifications where state = 'pending') as waiting,
        (select count(*) from notifications where state = 'failed') as failed,
        (select last_error from notifications where last_error is not null
         order by id desc limit 1) as reason`)
    .get() as Waiting
  const server = serverSettings(db).read('mail') ?? 'none'
  const way =
    server === 'none'
      ? 'no mail server is set, so none is sent (serve with --smtp and --mail-from)'
      : `mails go through ${server}`
  return told('notifications', 'notification', { waiting, failed, reason }, way)
}

function calendars(db: Db): Finding {
  const { waiting, failed, reason, connected } = db
    .prepare<[], Waiting & { connected: number }>(`
      select
        (select count(*) from jobs where kind = 'calendar' and state = 'pending') as waiting,
        (select count(*) from jobs where kind = 'calendar' and state = 'failed') as failed,
        (select last_error from calendar_connections where last_error is not null
         order by id desc limit 1) as reason,
        (select count(*) from calendar_connections) as connected`)
    .get() as Waiting & { connected: number }
  const way = connected === 1 ? '1 calendar is connected' : `${connected} calendars are connected`
  return told('calendars', 'change', { waiting, failed, reason }, way)
}

function told(
  check: string,
  what: string,
  { waiting, failed, reason }: Waiting,
  way: string,
): Finding {
  const waits = waiting === 1 ? `1 ${what} waits` : `${waiting} ${what}s wait`
  const given = failed === 0 ? '' : `, ${failed} ${failed === 1 ? 'was' : 'were'} given up`
  const failure = waiting + failed > 0 && reason !== null ? `; the last failure: ${reason}` : ''
  return { check, ok: true, detail: `${waits}${given}; ${way}${failure}` }
}
