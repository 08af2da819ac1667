import * as v from 'valibot'
import { bool, calendarDay, count, date, dateTime, longText, name } from '../../domain/fields.ts'
import { formatUtc } from '../../domain/instant.ts'
import type { ProjectFields } from '../../domain/project.ts'
import type { ProjectRow } from './store.ts'

export const Project = v.object({
  id: v.string(),
  slug: v.string(),
  name: v.string(),
  description: v.string(),
  is_public: v.boolean(),
  archived: v.boolean(),
  start_date: v.nullable(date()),
  end_date: v.nullable(date()),
  task_lists_count: count(),
  tasks_count: count(),
  created_at: dateTime(),
  updated_at: dateTime(),
})

export const NewProjectBody = v.object({
  name: name(),
  description: v.optional(v.nullable(longText())),
  is_public: v.optional(bool()),
  start_date: v.optional(v.nullable(calendarDay())),
  end_date: v.optional(v.nullable(calendarDay())),
})

export const ProjectChanges = v.partial(NewProjectBody)

export const DeletedProject = v.object({
  deleted: v.literal(true),
  recoverable: v.literal(true),
  project: v.object({ name: v.string(), id: v.string(), slug: v.string() }),
})

export function shapeProject(row: ProjectRow): v.InferOutput<typeof Project> {
  return {
    id: row.ref,
    slug: row.slug,
    name: row.name,
    description: row.description,
    is_public: row.is_public === 1,
    archived: row.archived_at !== null,
    start_date: row.start_date,
    end_date: row.end_date,
    task_lists_count: row.task_lists_count,
    tasks_count: row.tasks_count,
    created_at: formatUtc(row.created_at),
    updated_at: formatUtc(row.updated_at),
  }
}

/** What the fields become once the sent ones are laid over `before`; a null clears what may be unset. */
export function changedFields(
  before: ProjectFields,
  sent: v.InferOutput<typeof ProjectChanges>,
): ProjectFields {
  return {
    name: sent.name ?? before.name,
    description: sent.description === undefined ? before.description : (sent.description ?? ''),
    is_public: sent.is_public ?? before.is_public,
    start_date: sent.start_date === undefined ? before.start_date : sent.start_date,
    end_date: sent.end_date === undefined ? before.end_date : sent.end_date,
  }
}

export function fieldsOf(row: ProjectRow): ProjectFields {
  return {
    name: row.name,
    description: row.description,
    is_public: row.is_public === 1,
    start_date: row.start_date,
    end_date: row.end_date,
  }
}

export const projectExample = {
  id: 'prj-7k3m9q2xva',
  slug: 'إطلاق-المتجر',
  name: 'إطلاق المتجر',
  description: 'كل ما يلزم قبل الافتتاح',
  is_public: false,
  archived: false,
  start_date: '2026-03-01',
  end_date: null,
  task_lists_count: 2,
  tasks_count: 14,
  created_at: '2026-02-14T08:30:00Z',
  updated_at: '2026-02-14T08:30:00Z',
} satisfies v.InferOutput<typeof Project>
