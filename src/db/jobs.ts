import type { Db } from './database.ts'

type JobKind = 'scan'

export interface Job {
  readonly id: number
  readonly subject: string
  readonly attempts: number
}

export type JobQueue = ReturnType<typeof jobQueue>

/** Work of one kind that must wait, as rows: what is promised survives a kill -9. One row a subject at a time. */
export function jobQueue(db: Db, kind: JobKind) {
  const due = db.prepare<[string, number, number], Job>(`
    select id, subject, attempts from jobs
    where kind = ? and state = 'pending' and run_at <= ? order by run_at, id limit ?`)
  const nextAt = db
    .prepare<[string, number], number | null>(`
      select min(run_at) from jobs where kind = ? and state = 'pending' and run_at > ?`)
    .pluck()
  const hurry = db.prepare<[number, string, string]>(`
    update jobs set run_at = ?, attempts = 0, state = 'pending', last_error = null
    where kind = ? and subject = ?`)
  const insert = db.prepare<[number, string, string, number, number]>(`
    insert into jobs (company_id, kind, subject, run_at, created_at) values (?, ?, ?, ?, ?)`)
  const postpone = db.prepare<[number, string, number]>(`
    update jobs set run_at = ?, attempts = attempts + 1, last_error = ? where id = ?`)
  const finish = db.prepare<[number]>('delete from jobs where id = ?')

  return {
    /** To be done at once, also where it has been waiting for another try. */
    add(companyId: number, subject: string, now: number): void {
      if (hurry.run(now, kind, subject).changes === 0) {
        insert.run(companyId, kind, subject, now, now)
      }
    },

    due: (now: number, limit: number): Job[] => due.all(kind, now, limit),

    /** When the next one is due that is not due yet. */
    nextAt: (now: number): number | null => nextAt.get(kind, now) ?? null,

    postpone(job: Job, until: number, reason: string): void {
      postpone.run(until, reason, job.id)
    },

    finish(job: Job): void {
      finish.run(job.id)
    },
  }
}
