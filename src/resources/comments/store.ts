import type { Db } from '../../db/database.ts'
import type { RichText } from '../../domain/rich-text.ts'
import type { Page } from '../../http/page.ts'

export interface CommentRow {
  id: number
  content: string | null
  attachments: string
  author: string
  created_at: number
  updated_at: number
}

/** What can be commented on: the column that names it, and where the comments on it are counted. */
interface Subject {
  column: 'list_id' | 'task_id' | 'discussion_id'
  table: 'task_lists' | 'tasks' | 'discussions'
  counter: 'comments_count' | 'replies_count'
}

export type Comments = ReturnType<typeof commentsOn>

export function commentStore(db: Db) {
  return {
    onList: commentsOn(db, { column: 'list_id', table: 'task_lists', counter: 'comments_count' }),
    onTask: commentsOn(db, { column: 'task_id', table: 'tasks', counter: 'comments_count' }),
    onDiscussion: commentsOn(db, {
      column: 'discussion_id',
      table: 'discussions',
      counter: 'replies_count',
    }),
  }
}

function commentsOn(db: Db, { column, table, counter }: Subject) {
  const select = `
    select c.id, c.content, c.attachments, u.name as author, c.created_at, c.updated_at
    from comments c join users u on u.id = c.author_id`
  const page = db.prepare<[number, number, number], CommentRow>(`
    ${select} where c.id in
      (select id from comments where ${column} = ? order by id limit ? offset ?)
    order by c.id`)
  const byId = db.prepare<[number], CommentRow>(`${select} where c.id = ?`)
  const insert = db.prepare(`
    insert into comments
      (company_id, ${column}, content_html, content, attachments, author_id, created_at, updated_at)
    values
      (@companyId, @subjectId, @html, @plain, @attachments, @authorId, @now, @now)`)
  const count = db.prepare<[number]>(`update ${table} set ${counter} = ${counter} + 1 where id = ?`)

  return {
    /** Oldest first. */
    page(subject: { id: number }, { limit, offset }: Page): CommentRow[] {
      return page.all(subject.id, limit, offset)
    },

    add(
      subject: { id: number; company_id: number },
      { content, authorId, now }: { content: RichText; authorId: number; now: number },
    ): CommentRow {
      const { html, plain } = content
      const attachments = JSON.stringify(content.attachments)
      const owner = { companyId: subject.company_id, subjectId: subject.id }
      const id = insert.run({ ...owner, html, plain, attachments, authorId, now }).lastInsertRowid
      count.run(subject.id)
      return byId.get(Number(id)) as CommentRow
    },
  }
}
