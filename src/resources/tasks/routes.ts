import { isDeepStrictEqual } from 'node:util'
import { withChanges } from '../../domain/changes.ts'
import { looksLikeRef } from '../../domain/handle.ts'
import { richOrNull } from '../../domain/rich-text.ts'
import { blankTask } from '../../domain/task.ts'
import { excerpt } from '../../domain/text.ts'
import { forbidden, unprocessable } from '../../http/errors.ts'
import { pageQuery } from '../../http/page.ts'
import { collection, created, deleted, ok, type Reply } from '../../http/reply.ts'
import type { Stores } from '../../stores.ts'
import { createdOne, pageOf, route, single } from '../context.ts'
import type { ListRow } from '../lists/store.ts'
import {
  DeletedTask,
  fieldsOfTask,
  MoveBody,
  NewTaskBody,
  shapeTask,
  Task,
  TaskChanges,
  TimeBody,
  taskExample,
} from './shape.ts'
import type { TaskRow } from './store.ts'

const tag = 'Tasks'
const allTasks = ['/projects/{project_id}/lists/{list_id}/tasks', '/lists/{list_id}/tasks'] as const
const oneTask = [
  '/projects/{project_id}/lists/{list_id}/tasks/{task_id}',
  '/tasks/{task_id}',
] as const

function actionOnTask<const A extends string>(action: A) {
  return [
    `/projects/{project_id}/lists/{list_id}/tasks/{task_id}/${action}`,
    `/tasks/{task_id}/${action}`,
  ] as const
}

export const taskRoutes = [
  route({
    name: 'listTasks',
    tag,
    summary: 'List the tasks of a task list, in their order',
    method: 'GET',
    paths: allTasks,
    operation: 'tasks:read',
    query: pageQuery,
    reply: pageOf(Task, 'A page of tasks', taskExample),
    handle({ address: { list_id: list }, query }, { tasks }) {
      const place = { project_slug: list.project_slug, task_list_slug: list.slug }
      const page = tasks.page(list, query).map((task) => shapeTask(task, place))
      return collection(page, list.tasks_count, query)
    },
  }),

  route({
    name: 'createTask',
    tag,
    summary: 'Create a task, as the last of its list',
    method: 'POST',
    paths: allTasks,
    operation: 'tasks:write',
    query: {},
    body: NewTaskBody,
    bodyExample: { title: 'راجع العقد', due_at: '2026-03-15' },
    reply: createdOne(Task, 'The new task', taskExample),
    handle({ address: { list_id: list }, caller, now, body }, { tasks, members }) {
      const { title, notes, due_at, assignee_email } = withChanges(blankTask, body)
      const assigneeId = idOfAssignee(members, list.project_id, assignee_email)
      const input = { title, notes: richOrNull(notes), due_at, assigneeId }
      const task = tasks.create({ ...input, list, creatorId: caller.creator.id, now })
      return created(shapeTask(task, task))
    },
  }),

  route({
    name: 'getTask',
    tag,
    summary: 'Show a task',
    method: 'GET',
    paths: oneTask,
    operation: 'tasks:read',
    query: {},
    reply: single(Task, 'The task', taskExample),
    handle: ({ address }) => show(address.task_id),
  }),

  route({
    name: 'updateTask',
    tag,
    summary: 'Change a task',
    description:
      'Only the sent fields change; null clears notes, due date and assignee. A new title makes a new slug; the old one goes on resolving.',
    method: 'PATCH',
    paths: oneTask,
    operation: 'tasks:write',
    query: {},
    body: TaskChanges,
    bodyExample: { title: 'Review the contract', due_at: null },
    reply: single(Task, 'The task as it is now', taskExample),
    handle({ address: { task_id: task }, now, body }, { tasks, members }) {
      const { assignee_email: email, ...sent } = body
      const before = fieldsOfTask(task)
      const assigneeId =
        email === undefined ? before.assigneeId : idOfAssignee(members, task.project_id, email)
      const fields = withChanges(before, { ...sent, assigneeId })
      if (isDeepStrictEqual(fields, before)) return show(task)
      return show(tasks.update(task, { ...fields, notes: richOrNull(fields.notes) }, now))
    },
  }),

  route({
    name: 'deleteTask',
    tag,
    summary: 'Delete a task',
    description: 'For good, with its comments.',
    method: 'DELETE',
    paths: oneTask,
    operation: 'tasks:destructive',
    right: 'delete_any_task_or_list',
    unlessOwn: 'task_id',
    query: {},
    reply: single(DeletedTask, 'What was deleted', {
      deleted: true,
      task: { title: taskExample.title, id: taskExample.id, slug: taskExample.slug },
    }),
    handle({ address: { task_id: task } }, { tasks }) {
      tasks.remove(task)
      return deleted({ task: { title: task.title, id: task.ref, slug: task.slug } })
    },
  }),

  route({
    name: 'completeTask',
    tag,
    summary: 'Complete a task',
    description: 'Completing it again changes nothing, not even the time of its completion.',
    method: 'POST',
    paths: actionOnTask('complete'),
    operation: 'tasks:write',
    query: {},
    reply: single(Task, 'The task, completed', {
      ...taskExample,
      completed: true,
      completed_at: '2026-03-02T13:05:00Z',
    }),
    handle: ({ address, now }, { tasks }) => show(tasks.complete(address.task_id, now)),
  }),

  route({
    name: 'reopenTask',
    tag,
    summary: 'Take a completion back',
    method: 'POST',
    paths: actionOnTask('incomplete'),
    operation: 'tasks:write',
    query: {},
    reply: single(Task, 'The task, to be done again', taskExample),
    handle: ({ address, now }, { tasks }) => show(tasks.reopen(address.task_id, now)),
  }),

  route({
    name: 'moveTask',
    tag,
    summary: 'Move a task to another place or another list',
    description:
      '`task_list_id` is the ref of any task list of the company, or the slug of one in the task’s own project. `position` counts from 1; without it, or past the end, the task becomes the last. A task that leaves its list gets a slug in the new one, and its old nested address is gone; its ref stays.',
    method: 'POST',
    paths: actionOnTask('move'),
    operation: 'tasks:write',
    query: {},
    body: MoveBody,
    bodyExample: { task_list_id: 'lst-2r9d4w8hqb', position: 1 },
    reply: single(Task, 'The task in its new place', taskExample),
    handle({ address: { task_id: task }, company, now, body }, { tasks, lists }) {
      const { task_list_id: handle, position = null } = body
      const list = looksLikeRef(handle)
        ? lists.byRef(company.id, handle)
        : lists.bySlug(task.project_id, handle)
      return show(tasks.move(task, destination(list, handle), position, now))
    },
  }),

  route({
    name: 'recordTaskTime',
    tag,
    summary: 'Record the time spent on a task',
    description:
      '`time_spent` is `H:MM` (`"1:30"`), hours with a dot (`"1.5"`) or whole minutes (`"90"`), in European or Arabic digits. It replaces what was recorded before; an empty string clears it, and 0 is refused.',
    method: 'POST',
    paths: actionOnTask('time'),
    operation: 'tasks:write',
    feature: 'time_tracking',
    query: {},
    body: TimeBody,
    bodyExample: { time_spent: '1:30' },
    reply: single(Task, 'The task with its time', taskExample),
    handle: ({ address, now, body }, { tasks }) =>
      show(tasks.recordTime(address.task_id, body.time_spent, now)),
  }),
]

function show(task: TaskRow): Reply {
  return ok(shapeTask(task, task))
}

function idOfAssignee(
  members: Stores['members'],
  projectId: number,
  email: string | null,
): number | null {
  if (email === null) return null
  const person = members.assignableByEmail(projectId, email)
  if (person !== undefined) return person.id
  throw unprocessable(
    `assignee_email ${excerpt(email)} is no assignable person of this project; its members are listed at /projects/{project}/members`,
  )
}

function destination(list: ListRow | undefined, handle: string): ListRow {
  if (list === undefined) {
    throw unprocessable(
      `task_list_id ${excerpt(handle)} is no task list: send the ref (lst-…) of one of the company, or the slug of one in the task's own project`,
    )
  }
  if (list.project_archived_at !== null) {
    throw forbidden(
      'The project of that task list is archived; unarchive it before moving a task there.',
    )
  }
  return list
}
