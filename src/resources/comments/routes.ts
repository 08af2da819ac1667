import { fromPlain } from '../../domain/rich-text.ts'
import { pageQuery } from '../../http/page.ts'
import { collection, created } from '../../http/reply.ts'
import { createdOne, pageOf, route } from '../context.ts'
import { Comment, commentExample, NewCommentBody, shapeComment } from './shape.ts'

const tag = 'Comments'
const onList = [
  '/projects/{project_id}/lists/{list_id}/comments',
  '/lists/{list_id}/comments',
] as const
const onTask = [
  '/projects/{project_id}/lists/{list_id}/tasks/{task_id}/comments',
  '/tasks/{task_id}/comments',
] as const

const reading = {
  tag,
  method: 'GET',
  operation: 'comments:read',
  query: pageQuery,
  reply: pageOf(Comment, 'A page of comments', commentExample),
} as const

const writing = {
  tag,
  method: 'POST',
  operation: 'comments:write',
  query: {},
  body: NewCommentBody,
  bodyExample: { content: 'تم الإرسال إلى العميل.' },
  reply: createdOne(Comment, 'The new comment', commentExample),
} as const

export const commentRoutes = [
  route({
    ...reading,
    name: 'listTaskListComments',
    summary: 'List the comments on a task list, oldest first',
    paths: onList,
    handle: ({ address: { list_id: list }, query }, { comments }) =>
      collection(comments.onList.page(list, query).map(shapeComment), list.comments_count, query),
  }),

  route({
    ...writing,
    name: 'createTaskListComment',
    summary: 'Comment on a task list',
    paths: onList,
    handle({ address, caller, now, body }, { comments }) {
      const comment = { content: fromPlain(body.content), authorId: caller.creator.id, now }
      return created(shapeComment(comments.onList.add(address.list_id, comment)))
    },
  }),

  route({
    ...reading,
    name: 'listTaskComments',
    summary: 'List the comments on a task, oldest first',
    paths: onTask,
    handle: ({ address: { task_id: task }, query }, { comments }) =>
      collection(comments.onTask.page(task, query).map(shapeComment), task.comments_count, query),
  }),

  route({
    ...writing,
    name: 'createTaskComment',
    summary: 'Comment on a task',
    paths: onTask,
    handle({ address, caller, now, body }, { comments }) {
      const comment = { content: fromPlain(body.content), authorId: caller.creator.id, now }
      return created(shapeComment(comments.onTask.add(address.task_id, comment)))
    },
  }),
]
