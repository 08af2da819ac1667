import type { Db } from '../../db/database.ts'
import { slugs } from '../../db/slugs.ts'
import { mintRef, type RandomBelow } from '../../domain/handle.ts'
import type { RichText } from '../../domain/rich-text.ts'
import type { Page } from '../../http/page.ts'
import type { ListRow, ListStore } from '../lists/store.ts'
import { LIST_START, taskOrder } from './order.ts'

/** What a page of a list shows of a task; the list knows the rest. */
export interface ListedTask {
  ref: string
  slug: string
  title: string
  notes: string | null
  due_at: string | null
  assignee_name: string | null
  assignee_email: string | null
  time_spent_minutes: number | null
  completed_at: number | null
  created_at: number
}

export interface TaskRow extends ListedTask {
  id: number
  company_id: number
  list_id: number
  task_list_slug: string
  project_id: number
  project_slug: string
  project_archived_at: number | null
  position: number
  assignee_id: number | null
  creator_id: number
  comments_count: number
}

export interface TaskInput {
  title: string
  notes: RichText | null
  due_at: string | null
  assigneeId: number | null
}

export interface NewTask extends TaskInput {
  list: ListRow
  creatorId: number
  now: number
}

export function taskStore(db: Db, randomBelow: RandomBelow, lists: Pick<ListStore, 'countTasks'>) {
  const names = slugs(db, 'task')
  const order = taskOrder(db)
  const listed = `
    t.ref, t.slug, t.title, t.notes, t.due_at, a.name as assignee_name, a.email as assignee_email,
    t.time_spent_minutes, t.completed_at, t.created_at`
  const placed = `${listed},
    t.id, t.company_id, t.list_id, l.slug as task_list_slug, l.project_id, p.slug as project_slug,
    p.archived_at as project_archived_at, t.position, t.assignee_id, t.creator_id, t.comments_count`
  const byRef = db.prepare<[string, number], TaskRow>(`
    select ${placed} from tasks t
    join task_lists l on l.id = t.list_id
    join projects p on p.id = l.project_id
    left join users a on a.id = t.assignee_id
    where t.ref = ? and t.company_id = ? and p.deleted_at is null`)
  const bySlug = db.prepare<[number, string], TaskRow>(`
    select ${placed} from task_slugs s
    join tasks t on t.id = s.task_id
    join task_lists l on l.id = t.list_id
    join projects p on p.id = l.project_id
    left join users a on a.id = t.assignee_id
    where s.list_id = ? and s.slug = ?`)
  const page = db.prepare<[number, number, number], ListedTask>(`
    select ${listed} from tasks t
    left join users a on a.id = t.assignee_id
    where t.list_id = ? and t.position >= ?
    order by t.position, t.id limit ?`)
  const insert = db.prepare(`
    insert into tasks
      (company_id, list_id, ref, slug, title, notes_html, notes, position, due_at, assignee_id,
       creator_id, created_at, updated_at)
    values
      (@companyId, @listId, @ref, @slug, @title, @notesHtml, @notes, @position, @due_at, @assigneeId,
       @creatorId, @now, @now)`)
  // Text that comes back as it was answered keeps its formatting.
  const update = db.prepare(`
    update tasks set
      slug = @slug, title = @title, due_at = @due_at, assignee_id = @assigneeId, notes = @notes,
      notes_html = case when notes is @notes then notes_html else @notesHtml end, updated_at = @now
    where id = @id and company_id = @companyId`)
  const setCompleted = db.prepare<[number | null, number, number, number]>(`
    update tasks set completed_at = ?, updated_at = ? where id = ? and company_id = ?`)
  const setTimeSpent = db.prepare<[number | null, number, number, number]>(`
    update tasks set time_spent_minutes = ?, updated_at = ? where id = ? and company_id = ?`)
  const setPlace = db.prepare(`
    update tasks set list_id = @listId, slug = @slug, position = @position, updated_at = @now
    where id = @id and company_id = @companyId`)
  const remove = db.prepare<[number, number]>('delete from tasks where id = ? and company_id = ?')

  function reread({ company_id, ref }: { company_id: number; ref: string }): TaskRow {
    const row = byRef.get(ref, company_id)
    if (row === undefined) throw new Error(`Task ${ref} is gone after its own write`)
    return row
  }

  function setState(task: TaskRow, completedAt: number | null, now: number): TaskRow {
    if ((task.completed_at === null) === (completedAt === null)) return task
    setCompleted.run(completedAt, now, task.id, task.company_id)
    lists.countTasks(listOf(task), { tasks: 0, completed: completedAt === null ? -1 : 1 })
    return reread(task)
  }

  return {
    byRef(companyId: number, ref: string): TaskRow | undefined {
      return byRef.get(ref, companyId)
    },

    bySlug(listId: number, slug: string): TaskRow | undefined {
      return bySlug.get(listId, slug)
    },

    page(list: ListRow, { limit, offset }: Page): ListedTask[] {
      if (offset === 0) return page.all(list.id, LIST_START, limit)
      const start = order.positionAt(list.id, offset)
      return start === undefined ? [] : page.all(list.id, start, limit)
    },

    create({ list, creatorId, now, title, notes, due_at, assigneeId }: NewTask): TaskRow {
      const { id: listId, company_id: companyId } = list
      const ref = mintRef('task', randomBelow)
      const slug = names.fresh(listId, title)
      const position = order.append(listId)
      const texts = { title, notes: notes?.plain ?? null, notesHtml: notes?.html ?? null }
      const row = { companyId, listId, ref, slug, ...texts, position, due_at, assigneeId }
      const { lastInsertRowid } = insert.run({ ...row, creatorId, now })
      names.take(listId, slug, Number(lastInsertRowid))
      lists.countTasks(list, { tasks: 1, completed: 0 })
      return reread({ company_id: companyId, ref })
    },

    update(task: TaskRow, fields: TaskInput, now: number): TaskRow {
      const { id, company_id: companyId, list_id: listId } = task
      const { title, notes, due_at, assigneeId } = fields
      const slug = title === task.title ? task.slug : names.renamed(listId, title, id)
      const texts = { title, notes: notes?.plain ?? null, notesHtml: notes?.html ?? null }
      update.run({ id, companyId, slug, ...texts, due_at, assigneeId, now })
      names.take(listId, slug, id)
      return reread(task)
    },

    complete(task: TaskRow, now: number): TaskRow {
      return setState(task, now, now)
    },

    reopen(task: TaskRow, now: number): TaskRow {
      return setState(task, null, now)
    },

    recordTime(task: TaskRow, minutes: number | null, now: number): TaskRow {
      if (minutes === task.time_spent_minutes) return task
      setTimeSpent.run(minutes, now, task.id, task.company_id)
      return reread(task)
    },

    /** To the `place`th of a list, from 1; null and past the end are last. */
    move(task: TaskRow, to: ListRow, place: number | null, now: number): TaskRow {
      const { id, company_id: companyId, list_id: from } = task
      order.leave(from, task.position)
      const position = place === null ? order.append(to.id, id) : order.insertAt(to.id, place, id)
      const slug = to.id === from ? task.slug : names.moved(to.id, task.title, task)
      setPlace.run({ id, companyId, listId: to.id, slug, position, now })
      if (to.id !== from) {
        const completed = task.completed_at === null ? 0 : 1
        lists.countTasks(listOf(task), { tasks: -1, completed: completed ? -1 : 0 })
        lists.countTasks(to, { tasks: 1, completed })
      }
      return reread(task)
    },

    remove(task: TaskRow): void {
      order.leave(task.list_id, task.position)
      remove.run(task.id, task.company_id)
      lists.countTasks(listOf(task), { tasks: -1, completed: task.completed_at === null ? 0 : -1 })
    },
  }
}

function listOf({ list_id, project_id }: TaskRow): { id: number; project_id: number } {
  return { id: list_id, project_id }
}
