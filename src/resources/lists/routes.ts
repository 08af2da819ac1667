import { isDeepStrictEqual } from 'node:util'
import { withChanges } from '../../domain/changes.ts'
import { richOrNull } from '../../domain/rich-text.ts'
import { blankTaskList } from '../../domain/task-list.ts'
import { pageQuery } from '../../http/page.ts'
import { collection, created, deleted, ok } from '../../http/reply.ts'
import { createdOne, pageOf, route, single } from '../context.ts'
import {
  DeletedTaskList,
  fieldsOfList,
  NewTaskListBody,
  shapeTaskList,
  TaskList,
  TaskListChanges,
  taskListExample,
} from './shape.ts'

const tag = 'Task lists'
const allLists = ['/projects/{project_id}/lists'] as const
const oneList = ['/projects/{project_id}/lists/{list_id}', '/lists/{list_id}'] as const

export const listRoutes = [
  route({
    name: 'listTaskLists',
    tag,
    summary: 'List the task lists of a project, oldest first',
    method: 'GET',
    paths: allLists,
    operation: 'task_lists:read',
    query: pageQuery,
    reply: pageOf(TaskList, 'A page of task lists', taskListExample),
    handle: ({ address: { project_id: project }, query }, { lists }) =>
      collection(lists.page(project, query).map(shapeTaskList), project.task_lists_count, query),
  }),

  route({
    name: 'createTaskList',
    tag,
    summary: 'Create a task list',
    method: 'POST',
    paths: allLists,
    operation: 'task_lists:write',
    query: {},
    body: NewTaskListBody,
    bodyExample: { title: 'قبل الافتتاح', priority: 'high' },
    reply: createdOne(TaskList, 'The new task list', taskListExample),
    handle({ address: { project_id: project }, caller, now, body }, { lists }) {
      const { title, notes, priority } = withChanges(blankTaskList, body)
      const texts = { title, notes: richOrNull(notes) }
      const identity = { project, creatorId: caller.creator.id, now }
      return created(shapeTaskList(lists.create({ ...texts, priority, ...identity })))
    },
  }),

  route({
    name: 'getTaskList',
    tag,
    summary: 'Show a task list',
    method: 'GET',
    paths: oneList,
    operation: 'task_lists:read',
    query: {},
    reply: single(TaskList, 'The task list', taskListExample),
    handle: ({ address }) => ok(shapeTaskList(address.list_id)),
  }),

  route({
    name: 'updateTaskList',
    tag,
    summary: 'Change a task list',
    description:
      'Only the sent fields change. A new title makes a new slug; the old one goes on resolving.',
    method: 'PATCH',
    paths: oneList,
    operation: 'task_lists:write',
    query: {},
    body: TaskListChanges,
    bodyExample: { title: 'Before the opening', priority: null },
    reply: single(TaskList, 'The task list as it is now', taskListExample),
    handle({ address: { list_id: list }, now, body }, { lists }) {
      const before = fieldsOfList(list)
      const fields = withChanges(before, body)
      if (isDeepStrictEqual(fields, before)) return ok(shapeTaskList(list))
      const { title, notes, priority } = fields
      const changed = lists.update(list, { title, notes: richOrNull(notes), priority }, now)
      return ok(shapeTaskList(changed))
    },
  }),

  route({
    name: 'deleteTaskList',
    tag,
    summary: 'Delete a task list with all its tasks',
    description:
      'For good, and whoever made it: the right `delete_any_task_or_list` is needed for one’s own list too.',
    method: 'DELETE',
    paths: oneList,
    operation: 'task_lists:destructive',
    right: 'delete_any_task_or_list',
    query: {},
    reply: single(DeletedTaskList, 'What was deleted', {
      deleted: true,
      task_list: {
        title: taskListExample.title,
        id: taskListExample.id,
        slug: taskListExample.slug,
      },
      deleted_tasks: 8,
    }),
    handle({ address: { list_id: list } }, { lists }) {
      lists.remove(list)
      const { title, ref: id, slug } = list
      return deleted({ task_list: { title, id, slug }, deleted_tasks: list.tasks_count })
    },
  }),
]
