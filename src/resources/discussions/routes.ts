import { isDeepStrictEqual } from 'node:util'
import { withChanges } from '../../domain/changes.ts'
import { blankDiscussion } from '../../domain/discussion.ts'
import { richOrNull } from '../../domain/rich-text.ts'
import { pageQuery } from '../../http/page.ts'
import { collection, created, deleted, ok } from '../../http/reply.ts'
import { createdOne, pageOf, route, single } from '../context.ts'
import {
  DeletedDiscussion,
  Discussion,
  DiscussionChanges,
  discussionExample,
  fieldsOfDiscussion,
  NewDiscussionBody,
  shapeDiscussion,
} from './shape.ts'

const tag = 'Discussions'
const allDiscussions = ['/projects/{project_id}/discussions'] as const
const oneDiscussion = [
  '/projects/{project_id}/discussions/{discussion_id}',
  '/discussions/{discussion_id}',
] as const

export const discussionRoutes = [
  route({
    name: 'listDiscussions',
    tag,
    summary: 'List the discussions of a project, newest first',
    method: 'GET',
    paths: allDiscussions,
    operation: 'discussions:read',
    query: pageQuery,
    reply: pageOf(Discussion, 'A page of discussions', discussionExample),
    handle({ address: { project_id: project }, query }, { discussions }) {
      const page = discussions.page(project, query).map(shapeDiscussion)
      return collection(page, project.discussions_count, query)
    },
  }),

  route({
    name: 'createDiscussion',
    tag,
    summary: 'Start a discussion',
    description:
      "It is published at once. The project's members, less the author, are subscribed and notified, and the timeline records it.",
    method: 'POST',
    paths: allDiscussions,
    operation: 'discussions:write',
    leavesWork: true,
    query: {},
    body: NewDiscussionBody,
    bodyExample: { title: 'أي يوم نفتتح؟', body: 'السبت أم الأحد؟' },
    reply: createdOne(Discussion, 'The new discussion', discussionExample),
    handle({ address: { project_id: project }, caller, now, body: sent }, { discussions }) {
      const { title, body } = withChanges(blankDiscussion, sent)
      const identity = { project, category: null, authorId: caller.creator.id, now }
      const published = discussions.publish({ title, body: richOrNull(body), ...identity })
      return created(shapeDiscussion(published))
    },
  }),

  route({
    name: 'getDiscussion',
    tag,
    summary: 'Show a discussion',
    method: 'GET',
    paths: oneDiscussion,
    operation: 'discussions:read',
    query: {},
    reply: single(Discussion, 'The discussion', discussionExample),
    handle: ({ address }) => ok(shapeDiscussion(address.discussion_id)),
  }),

  route({
    name: 'updateDiscussion',
    tag,
    summary: 'Change a discussion',
    description:
      'Only the sent fields change. A new title makes a new slug; the old one goes on resolving.',
    method: 'PATCH',
    paths: oneDiscussion,
    operation: 'discussions:write',
    query: {},
    body: DiscussionChanges,
    bodyExample: { title: 'Which day do we open?' },
    reply: single(Discussion, 'The discussion as it is now', discussionExample),
    handle({ address: { discussion_id: discussion }, now, body: sent }, { discussions }) {
      const before = fieldsOfDiscussion(discussion)
      const fields = withChanges(before, sent)
      if (isDeepStrictEqual(fields, before)) return ok(shapeDiscussion(discussion))
      const { title, body } = fields
      const changed = discussions.update(discussion, { title, body: richOrNull(body) }, now)
      return ok(shapeDiscussion(changed))
    },
  }),

  route({
    name: 'deleteDiscussion',
    tag,
    summary: 'Delete a discussion',
    description: 'Softly: an administrator can restore it, under the same handles.',
    method: 'DELETE',
    paths: oneDiscussion,
    operation: 'discussions:destructive',
    query: {},
    reply: single(DeletedDiscussion, 'What was deleted', {
      deleted: true,
      recoverable: true,
      discussion: {
        title: discussionExample.title,
        id: discussionExample.id,
        slug: discussionExample.slug,
      },
    }),
    handle({ address: { discussion_id: discussion }, now }, { discussions }) {
      discussions.remove(discussion, now)
      const { title, ref: id, slug } = discussion
      return deleted({ recoverable: true, discussion: { title, id, slug } })
    },
  }),
]
