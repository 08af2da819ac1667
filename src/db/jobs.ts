import type { Db } from './database.ts'

type JobKind = 'scan' | 'calendar'

export interface Job {
  readonly id: number
  readonly subject: string
  readonly attempts: number
  readonly created_at: number
}

export type JobQueue = ReturnType<typeof jobQueue>

/** Work of one kind that must wait, as rows: what is promised survives a kill -9. One row a subject at a time. */
export function jobQueue(db: Db, kind: JobKind) {
  const due = db.prepare<[string, number, number], Job>(`
    select id, subject, attempts, created_at from jobs
    where kind = ? and state = 'pending' and run_at <= ? order by run_at, id limit ?`)
  const nextAt = db
    .prepare<[string, number], number | null>(`
      select min(run_at) from jobs where kind = ? and state = 'pending' and run_at > ?`)
    .pluck()
  const hurry = db.prepare<[number, number, string, string]>(`
    update jobs set
      run_at = ?, created_at = ?, attempts = 0, state = 'pending', claimed_at = null,
      last_error = null
    where kind = ? and subject = ?`)
  const hurryAll = db.prepare<[number, string, number]>(`
    update jobs set run_at = ? where kind = ? and state = 'pending' and run_at > ?`)
  const insert = db.prepare<[number, string, string, number, number]>(`
    insert into jobs (company_id, kind, subject, run_at, created_at) values (?, ?, ?, ?, ?)`)
  const claim = db.prepare<[number, number]>('update jobs set claimed_at = ? where id = ?')
  const postpone = db.prepare<[number, string, number]>(`
    update jobs set run_at = ?, attempts = attempts + 1, last_error = ?
    where id = ? and claimed_at is not null`)
  const giveUp = db.prepare<[string, number]>(`
    update jobs set state = 'failed', attempts = attempts + 1, last_error = ?
    where id = ? and claimed_at is not null`)
  const finish = db.prepare<[number]>('delete from jobs where id = ? and claimed_at is not null')

  return {
    /** To be done at once, also where it has been waiting for another try, or is under way and to be done again. */
    add(companyId: number, subject: string, now: number): void {
      if (hurry.run(now, now, kind, subject).changes === 0) {
        insert.run(companyId, kind, subject, now, now)
      }
    },

    /** What waits for another try need not wait any longer. */
    hurryAll(now: number): void {
      hurryAll.run(now, kind, now)
    },

    due: (now: number, limit: number): Job[] => due.all(kind, now, limit),

    nextAt: (now: number): number | null => nextAt.get(kind, now) ?? null,

    claim(job: Job, now: number): void {
      claim.run(now, job.id)
    },

    postpone(job: Job, until: number, reason: string): void {
      postpone.run(until, reason, job.id)
    },

    giveUp(job: Job, reason: string): void {
      giveUp.run(reason, job.id)
    },

    /** Nothing happens to one that was asked for again meanwhile. */
    finish(job: Job): void {
      finish.run(job.id)
    },
  }
}
