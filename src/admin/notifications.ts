import { Failure } from '../domain/failure.ts'
import { formatUtc } from '../domain/instant.ts'
import { findCompany } from './companies.ts'
import { type AdminContext, recordAdministration } from './context.ts'

interface NotificationRow {
  id: number
  at: number
  kind: string
  recipient: string
  subject_ref: string
  state: 'pending' | 'sent' | 'failed'
  attempts: number
  last_error: string | null
}

/** To be sent at once, whatever has become of it. */
export function retryNotification(context: AdminContext, id: number) {
  return context.db
    .transaction(() => {
      const found = context.db
        .prepare<[number], { company_id: number; state: string }>(
          'select company_id, state from notifications where id = ?',
        )
        .get(id)
      if (found === undefined) {
        throw new Failure(`There is no notification ${id}: 'majlis notification list' names them.`)
      }
      if (found.state === 'sent') throw new Failure(`Notification ${id} has been sent.`)
      context.db
        .prepare(`
          update notifications set
            state = 'pending', attempts = 0, claimed_at = null, next_attempt_at = ?
          where id = ?`)
        .run(context.now(), id)
      recordAdministration(context, {
        companyId: found.company_id,
        operation: 'notifications:retry',
        path: `notification retry ${id}`,
        keyId: null,
      })
      return { retry: true, notification: { id, state: 'pending' } }
    })
    .immediate()
}

/** Who is to be told of what, newest first. */
export function listNotifications(context: AdminContext, companyId: number, limit: number) {
  findCompany(context, companyId)
  return context.db
    .prepare<[number, number], NotificationRow>(`
      select
        n.id, n.at, n.kind, u.email as recipient, n.subject_ref, n.state, n.attempts, n.last_error
      from notifications n
      join users u on u.id = n.recipient_id
      where n.company_id = ? order by n.id desc limit ?`)
    .all(companyId, limit)
    .map((row) => ({
      id: row.id,
      at: formatUtc(row.at),
      kind: row.kind,
      recipient: row.recipient,
      subject_ref: row.subject_ref,
      state: row.state,
      attempts: row.attempts,
      last_error: row.last_error,
    }))
}
