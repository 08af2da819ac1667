import * as v from 'valibot'
import { dateTime, requiredText } from '../../domain/fields.ts'
import { formatUtc } from '../../domain/instant.ts'
import type { CommentRow } from './store.ts'

export const Comment = v.object({
  id: v.pipe(v.number(), v.integer()),
  content: v.nullable(v.string()),
  author: v.nullable(v.string()),
  created_at: dateTime(),
  updated_at: dateTime(),
  attachments: v.array(v.string()),
})

export const NewCommentBody = v.object({ content: requiredText() })

export function shapeComment(row: CommentRow): v.InferOutput<typeof Comment> {
  return {
    id: row.id,
    content: row.content,
    author: row.author,
    created_at: formatUtc(row.created_at),
    updated_at: formatUtc(row.updated_at),
    attachments: JSON.parse(row.attachments) as string[],
  }
}

export const commentExample = {
  id: 318,
  content: 'تم الإرسال إلى العميل.\nSent to the client.',
  author: 'Sara Ahmed',
  created_at: '2026-02-16T10:00:00Z',
  updated_at: '2026-02-16T10:00:00Z',
  attachments: ['العقد.pdf'],
} satisfies v.InferOutput<typeof Comment>
