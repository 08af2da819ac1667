import * as v from 'valibot'
import type { DiscussionFields } from '../../domain/discussion.ts'
import { count, dateTime, longText, name } from '../../domain/fields.ts'
import { formatUtc } from '../../domain/instant.ts'
import type { DiscussionRow } from './store.ts'

export const Discussion = v.object({
  id: v.string(),
  slug: v.string(),
  title: v.string(),
  body: v.nullable(v.string()),
  category: v.nullable(v.string()),
  author: v.nullable(v.string()),
  replies_count: count(),
  created_at: dateTime(),
})

export const NewDiscussionBody = v.object({
  title: name(),
  body: v.optional(v.nullable(longText())),
})

export const DiscussionChanges = v.partial(NewDiscussionBody)

export const DeletedDiscussion = v.object({
  deleted: v.literal(true),
  recoverable: v.literal(true),
  discussion: v.object({ title: v.string(), id: v.string(), slug: v.string() }),
})

export function shapeDiscussion(row: DiscussionRow): v.InferOutput<typeof Discussion> {
  return {
    id: row.ref,
    slug: row.slug,
    title: row.title,
    body: row.body,
    category: row.category,
    author: row.author,
    replies_count: row.replies_count,
    created_at: formatUtc(row.created_at),
  }
}

export function fieldsOfDiscussion({ title, body }: DiscussionRow): DiscussionFields {
  return { title, body }
}

export const discussionExample = {
  id: 'mjl-5c8t1n6ywe',
  slug: 'أي-يوم-نفتتح',
  title: 'أي يوم نفتتح؟',
  body: 'السبت أم الأحد؟ Saturday or Sunday?',
  category: null,
  author: 'Sara Ahmed',
  replies_count: 4,
  created_at: '2026-02-17T06:20:00Z',
} satisfies v.InferOutput<typeof Discussion>
