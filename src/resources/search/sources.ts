import { joined, nameSources } from '../../db/names/sources.ts'
import type { NameKind } from '../../domain/name-terms.ts'

/** What a hit of any kind is made of. */
export interface HitRow {
  kind: NameKind
  id: number
  /** A folder has none. */
  ref: string | null
  name: string
  /** Its own, of what has one. */
  slug: string | null
  project_slug: string
  list_slug: string | null
  folder_id: number | null
  /** Archived or completed, of what can be. */
  is_over: number
}

/** SQL for a record by its id and its company's, unless it is deleted. */
export function hitById(kind: NameKind): string {
  const { table, column, isLive } = nameSources[kind]
  return `
    select '${kind}' as kind, r.id, r.${column} as name, p.slug as project_slug, ${columns[kind]}
    from ${table} r ${joined(kind, 'join')}
    where r.id = ? and r.company_id = ? and ${isLive}`
}

const columns: Readonly<Record<NameKind, string>> = {
  project:
    'r.ref, r.slug, null as list_slug, null as folder_id, r.archived_at is not null as is_over',
  task_list: `r.ref, r.slug, r.slug as list_slug, null as folder_id,
    r.tasks_count > 0 and r.tasks_count = r.completed_tasks_count as is_over`,
  task: `r.ref, r.slug, l.slug as list_slug, null as folder_id,
    r.completed_at is not null as is_over`,
  folder: 'null as ref, null as slug, null as list_slug, r.id as folder_id, 0 as is_over',
  file: 'r.ref, null as slug, null as list_slug, r.folder_id, 0 as is_over',
  discussion: 'r.ref, r.slug, null as list_slug, null as folder_id, 0 as is_over',
}
