import type { Db } from './database.ts'

type NoticeKind = 'discussion.created' | 'event.created' | 'event.updated' | 'event.cancelled'

export interface Notice {
  companyId: number
  at: number
  kind: NoticeKind
  subjectRef: string
  /** What is told, where it must be told as it was then. */
  payload?: object
}

/** A notice on its way to one person. */
export interface Delivery {
  readonly id: number
  readonly attempts: number
  readonly at: number
  /** When it was first tried; null if it never was. */
  readonly claimed_at: number | null
  readonly kind: NoticeKind
  readonly company_id: number
  readonly subject_ref: string
  readonly payload: string
  readonly recipient_name: string
  readonly recipient_email: string
  readonly recipient_left_at: number | null
  readonly company_name: string
  readonly language: 'ar' | 'en'
  readonly time_zone: string
}

/** One row a person told. The row is the promise; a worker delivers it. */
export function notifications(db: Db) {
  const insert = db.prepare(`
    insert into notifications
      (company_id, recipient_id, at, kind, subject_ref, payload, next_attempt_at)
    select @companyId, value, @at, @kind, @subjectRef, @payload, @at from json_each(@recipients)`)

  return {
    promise({ payload = {}, ...notice }: Notice, recipientIds: readonly number[]): void {
      const recipients = JSON.stringify(recipientIds)
      insert.run({ ...notice, payload: JSON.stringify(payload), recipients })
    },
  }
}

/** The notices that wait, as a queue. What one person is told of one thing keeps its order. */
export function outbox(db: Db) {
  const due = db.prepare<[number, number], Delivery>(`
    select
      n.id, n.attempts, n.at, n.claimed_at, n.kind, n.company_id, n.subject_ref, n.payload,
      u.name as recipient_name, u.email as recipient_email,
      u.deactivated_at as recipient_left_at, c.name as company_name, c.language, c.time_zone
    from notifications n
    join users u on u.id = n.recipient_id
    join companies c on c.id = n.company_id
    where n.state = 'pending' and n.next_attempt_at <= ? and not exists
      (select 1 from notifications earlier
       where earlier.recipient_id = n.recipient_id and earlier.subject_ref = n.subject_ref
         and earlier.state = 'pending' and earlier.id < n.id)
    order by n.next_attempt_at, n.id limit ?`)
  const nextAt = db
    .prepare<[number], number | null>(`
      select min(next_attempt_at) from notifications
      where state = 'pending' and next_attempt_at > ?`)
    .pluck()
  const claim = db.prepare<[number, number]>(
    'update notifications set claimed_at = coalesce(claimed_at, ?) where id = ?',
  )
  const postpone = db.prepare<[number, string, number]>(`
    update notifications set next_attempt_at = ?, attempts = attempts + 1, last_error = ?
    where id = ? and claimed_at is not null`)
  const giveUp = db.prepare<[string, number]>(`
    update notifications set state = 'failed', attempts = attempts + 1, last_error = ?
    where id = ? and claimed_at is not null`)
  const send = db.prepare<[number, number]>(`
    update notifications set
      state = 'sent', sent_at = ?, attempts = attempts + 1, last_error = null
    where id = ?`)

  return {
    due: (now: number, limit: number): Delivery[] => due.all(now, limit),
    nextAt: (now: number): number | null => nextAt.get(now) ?? null,
    claim(delivery: Delivery, now: number): void {
      claim.run(now, delivery.id)
    },
    postpone(delivery: Delivery, until: number, reason: string): void {
      postpone.run(until, reason, delivery.id)
    },
    giveUp(delivery: Delivery, reason: string): void {
      giveUp.run(reason, delivery.id)
    },
    markSent(delivery: Delivery, now: number): void {
      send.run(now, delivery.id)
    },
  }
}
