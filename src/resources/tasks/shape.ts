import * as v from 'valibot'
import {
  calendarDay,
  count,
  date,
  dateTime,
  duration,
  email,
  longText,
  name,
  personEmail,
  place,
} from '../../domain/fields.ts'
import { formatUtc } from '../../domain/instant.ts'
import type { ListedTask, TaskRow } from './store.ts'

export const Task = v.object({
  id: v.string(),
  slug: v.string(),
  title: v.string(),
  notes: v.nullable(v.string()),
  completed: v.boolean(),
  completed_at: v.nullable(dateTime()),
  due_at: v.nullable(date()),
  time_spent_minutes: v.nullable(count()),
  project_slug: v.string(),
  task_list_slug: v.string(),
  assignee: v.nullable(v.object({ name: v.string(), email: email() })),
  created_at: dateTime(),
})

export const NewTaskBody = v.object({
  title: name(),
  notes: v.optional(v.nullable(longText())),
  due_at: v.optional(v.nullable(calendarDay())),
  assignee_email: v.optional(v.nullable(personEmail())),
})

export const TaskChanges = v.partial(NewTaskBody)

export const MoveBody = v.object({
  task_list_id: v.string('must be the ref (lst-…) or the slug of a task list'),
  position: v.optional(place()),
})

export const TimeBody = v.object({ time_spent: duration() })

export const DeletedTask = v.object({
  deleted: v.literal(true),
  task: v.object({ title: v.string(), id: v.string(), slug: v.string() }),
})

/** Where a task lies, as its own row or the page it is on tells. */
interface Place {
  project_slug: string
  task_list_slug: string
}

export function shapeTask(row: ListedTask, place: Place): v.InferOutput<typeof Task> {
  return {
    id: row.ref,
    slug: row.slug,
    title: row.title,
    notes: row.notes,
    completed: row.completed_at !== null,
    completed_at: row.completed_at === null ? null : formatUtc(row.completed_at),
    due_at: row.due_at,
    time_spent_minutes: row.time_spent_minutes,
    project_slug: place.project_slug,
    task_list_slug: place.task_list_slug,
    assignee: assigneeOf(row),
    created_at: formatUtc(row.created_at),
  }
}

function assigneeOf({ assignee_name: name, assignee_email: email }: ListedTask) {
  return name === null || email === null ? null : { name, email }
}

export function fieldsOfTask({ title, notes, due_at, assignee_id: assigneeId }: TaskRow) {
  return { title, notes, due_at, assigneeId }
}

export const taskExample = {
  id: 'tsk-7k3m9q2xva',
  slug: 'راجع-العقد',
  title: 'راجع العقد',
  notes: 'مع المحامي / with the lawyer',
  completed: false,
  completed_at: null,
  due_at: '2026-03-15',
  time_spent_minutes: 90,
  project_slug: 'إطلاق-المتجر',
  task_list_slug: 'قبل-الافتتاح',
  assignee: { name: 'Sara Ahmed', email: 'sara@nakheel.example' },
  created_at: '2026-02-15T07:10:00Z',
} satisfies v.InferOutput<typeof Task>
