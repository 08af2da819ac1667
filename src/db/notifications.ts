import type { Db } from './database.ts'

export interface Notification {
  companyId: number
  recipientId: number
  at: number
  kind: 'discussion.created'
  subjectRef: string
}

/** One row a person told. The row is the promise; a worker delivers it. */
export function notifications(db: Db) {
  const insert = db.prepare(`
    insert into notifications (company_id, recipient_id, at, kind, subject_ref, next_attempt_at)
    values (@companyId, @recipientId, @at, @kind, @subjectRef, @at)`)

  return {
    promise(notification: Notification): void {
      insert.run(notification)
    },
  }
}
