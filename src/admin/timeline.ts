import { formatUtc } from '../domain/instant.ts'
import { findCompany } from './companies.ts'
import type { AdminContext } from './context.ts'

interface TimelineRow {
  id: number
  at: number
  kind: string
  project: string
  ref: string
  actor: string
  title: string
}

/** What happened in a company's projects, newest first. */
export function listTimeline(context: AdminContext, companyId: number, limit: number) {
  findCompany(context, companyId)
  return context.db
    .prepare<[number, number], TimelineRow>(`
      select t.id, t.at, t.kind, p.ref as project, t.ref, u.name as actor, t.title
      from timeline_entries t
      join projects p on p.id = t.project_id
      join users u on u.id = t.actor_id
      where t.company_id = ? order by t.id desc limit ?`)
    .all(companyId, limit)
    .map(({ id, at, kind, project, ref, actor, title }) => {
      return { id, at: formatUtc(at), kind, project, ref, actor, title }
    })
}
