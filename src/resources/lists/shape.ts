import * as v from 'valibot'
import { choice, count, dateTime, longText, name } from '../../domain/fields.ts'
import { formatUtc } from '../../domain/instant.ts'
import { priorities, type TaskListFields } from '../../domain/task-list.ts'
import type { ListRow } from './store.ts'

export const TaskList = v.object({
  id: v.string(),
  slug: v.string(),
  title: v.string(),
  notes: v.nullable(v.string()),
  priority: v.nullable(v.picklist(priorities)),
  completed: v.boolean(),
  completed_at: v.nullable(dateTime()),
  tasks_count: count(),
  completed_tasks_count: count(),
  project_slug: v.string(),
  created_at: dateTime(),
})

export const NewTaskListBody = v.object({
  title: name(),
  notes: v.optional(v.nullable(longText())),
  priority: v.optional(choice(priorities)),
})

export const TaskListChanges = v.partial(NewTaskListBody)

export const DeletedTaskList = v.object({
  deleted: v.literal(true),
  task_list: v.object({ title: v.string(), id: v.string(), slug: v.string() }),
  deleted_tasks: count(),
})

export function shapeTaskList(row: ListRow): v.InferOutput<typeof TaskList> {
  return {
    id: row.ref,
    slug: row.slug,
    title: row.title,
    notes: row.notes,
    priority: row.priority,
    completed: row.completed_at !== null,
    completed_at: row.completed_at === null ? null : formatUtc(row.completed_at),
    tasks_count: row.tasks_count,
    completed_tasks_count: row.completed_tasks_count,
    project_slug: row.project_slug,
    created_at: formatUtc(row.created_at),
  }
}

export function fieldsOfList({ title, notes, priority }: ListRow): TaskListFields {
  return { title, notes, priority }
}

export const taskListExample = {
  id: 'lst-2r9d4w8hqb',
  slug: 'قبل-الافتتاح',
  title: 'قبل الافتتاح',
  notes: 'ما يجب أن يتم قبل اليوم الأول',
  priority: 'high',
  completed: false,
  completed_at: null,
  tasks_count: 8,
  completed_tasks_count: 3,
  project_slug: 'إطلاق-المتجر',
  created_at: '2026-02-14T08:45:00Z',
} satisfies v.InferOutput<typeof TaskList>
