import { formatUtc } from '../domain/instant.ts'
import { findCompany } from './companies.ts'
import type { AdminContext } from './context.ts'

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
