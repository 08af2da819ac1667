import type { Db } from './database.ts'

export interface Notice {
  companyId: number
  at: number
  kind: 'discussion.created'
  subjectRef: string
}

/** One row a person told. The row is the promise; a worker delivers it. */
export function notifications(db: Db) {
  const insert = db.prepare(`
    insert into notifications (company_id, recipient_id, at, kind, subject_ref, next_attempt_at)
    select @companyId, value, @at, @kind, @subjectRef, @at from json_each(@recipients)`)

  return {
    promise(notice: Notice, recipientIds: readonly number[]): void {
      insert.run({ ...notice, recipients: JSON.stringify(recipientIds) })
    },
  }
}
