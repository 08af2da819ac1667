import type { Db } from './database.ts'

export interface TimelineEntry {
  companyId: number
  projectId: number
  at: number
  kind: 'discussion.created'
  ref: string
  actorId: number
  title: string
}

export function timeline(db: Db) {
  const insert = db.prepare(`
    insert into timeline_entries (company_id, project_id, at, kind, ref, actor_id, title)
    values (@companyId, @projectId, @at, @kind, @ref, @actorId, @title)`)

  return {
    record(entry: TimelineEntry): void {
      insert.run(entry)
    },
  }
}
