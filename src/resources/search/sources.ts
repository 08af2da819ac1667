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

/** A record stands in the index whether it is deleted or not: its row, and its project's, say whether it is. */
interface HitSource {
  readonly columns: string
  readonly table: string
  readonly join: string
  readonly where: string
}

const project = 'join projects p on p.id = r.project_id'
const isLive = 'p.deleted_at is null'
const allDone = 'r.tasks_count > 0 and r.tasks_count = r.completed_tasks_count'

/** SQL for a record by its id and its company's, unless it is deleted. */
export function hitById(kind: NameKind): string {
  const { columns, table, join, where } = hitSources[kind]
  return `
    select '${kind}' as kind, r.id, ${columns} from ${table} r ${join}
    where r.id = ? and r.company_id = ? and ${where}`
}

/** `r` is the record. */
const hitSources: Readonly<Record<NameKind, HitSource>> = {
  project: {
    columns: `r.ref, r.name, r.slug, r.slug as project_slug, null as list_slug, null as folder_id,
      r.archived_at is not null as is_over`,
    table: 'projects',
    join: '',
    where: 'r.deleted_at is null',
  },
  task_list: {
    columns: `r.ref, r.title as name, r.slug, p.slug as project_slug, r.slug as list_slug,
      null as folder_id, ${allDone} as is_over`,
    table: 'task_lists',
    join: project,
    where: isLive,
  },
  task: {
    columns: `r.ref, r.title as name, r.slug, p.slug as project_slug, l.slug as list_slug,
      null as folder_id, r.completed_at is not null as is_over`,
    table: 'tasks',
    join: 'join task_lists l on l.id = r.list_id join projects p on p.id = l.project_id',
    where: isLive,
  },
  folder: {
    columns: `null as ref, r.name, null as slug, p.slug as project_slug, null as list_slug,
      r.id as folder_id, 0 as is_over`,
    table: 'folders',
    join: project,
    where: isLive,
  },
  file: {
    columns: `r.ref, r.name, null as slug, p.slug as project_slug, null as list_slug, r.folder_id,
      0 as is_over`,
    table: 'files',
    join: project,
    where: isLive,
  },
  discussion: {
    columns: `r.ref, r.title as name, r.slug, p.slug as project_slug, null as list_slug,
      null as folder_id, 0 as is_over`,
    table: 'discussions',
    join: project,
    where: `r.deleted_at is null and ${isLive}`,
  },
}
