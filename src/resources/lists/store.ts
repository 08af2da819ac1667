import type { Db } from '../../db/database.ts'
import { slugs } from '../../db/slugs.ts'
import { mintRef, type RandomBelow } from '../../domain/handle.ts'
import type { RichText } from '../../domain/rich-text.ts'
import type { Priority } from '../../domain/task-list.ts'
import type { Page } from '../../http/page.ts'
import type { ProjectRow, ProjectStore } from '../projects/store.ts'

export interface ListRow {
  id: number
  company_id: number
  project_id: number
  project_slug: string
  project_archived_at: number | null
  ref: string
  slug: string
  title: string
  notes: string | null
  priority: Priority | null
  tasks_count: number
  completed_tasks_count: number
  comments_count: number
  /** The last completion, once all tasks are completed. */
  completed_at: number | null
  created_at: number
}

export interface ListInput {
  title: string
  notes: RichText | null
  priority: Priority | null
}

export interface NewList extends ListInput {
  project: ProjectRow
  creatorId: number
  now: number
}

export type ListStore = ReturnType<typeof listStore>

export function listStore(
  db: Db,
  randomBelow: RandomBelow,
  projects: Pick<ProjectStore, 'countWork'>,
) {
  const names = slugs(db, 'list')
  const columns = `
    l.id, l.company_id, l.project_id, p.slug as project_slug, p.archived_at as project_archived_at,
    l.ref, l.slug, l.title, l.notes, l.priority, l.tasks_count, l.completed_tasks_count,
    l.comments_count, l.created_at,
    case when l.tasks_count > 0 and l.tasks_count = l.completed_tasks_count then
      (select max(t.completed_at) from tasks t where t.list_id = l.id and t.completed_at is not null)
    end as completed_at`
  const byRef = db.prepare<[string, number], ListRow>(`
    select ${columns} from task_lists l
    join projects p on p.id = l.project_id
    where l.ref = ? and l.company_id = ? and p.deleted_at is null`)
  const bySlug = db.prepare<[number, string], ListRow>(`
    select ${columns} from task_list_slugs s
    join task_lists l on l.id = s.list_id
    join projects p on p.id = l.project_id
    where s.project_id = ? and s.slug = ?`)
  const page = db.prepare<[number, number, number], ListRow>(`
    select ${columns} from task_lists l
    join projects p on p.id = l.project_id
    where l.id in (select id from task_lists where project_id = ? order by id limit ? offset ?)
    order by l.id`)
  const insert = db.prepare(`
    insert into task_lists
      (company_id, project_id, ref, slug, title, notes_html, notes, priority, creator_id, created_at,
       updated_at)
    values
      (@companyId, @projectId, @ref, @slug, @title, @notesHtml, @notes, @priority, @creatorId, @now,
       @now)`)
  // Text that comes back as it was answered keeps its formatting.
  const update = db.prepare(`
    update task_lists set
      slug = @slug, title = @title, priority = @priority, notes = @notes,
      notes_html = case when notes is @notes then notes_html else @notesHtml end, updated_at = @now
    where id = @id and company_id = @companyId`)
  const remove = db.prepare<[number, number]>(
    'delete from task_lists where id = ? and company_id = ?',
  )
  const count = db.prepare<[number, number, number]>(`
    update task_lists set
      tasks_count = tasks_count + ?, completed_tasks_count = completed_tasks_count + ?
    where id = ?`)

  function reread({ company_id, ref }: { company_id: number; ref: string }): ListRow {
    const row = byRef.get(ref, company_id)
    if (row === undefined) throw new Error(`Task list ${ref} is gone after its own write`)
    return row
  }

  return {
    byRef(companyId: number, ref: string): ListRow | undefined {
      return byRef.get(ref, companyId)
    },

    bySlug(projectId: number, slug: string): ListRow | undefined {
      return bySlug.get(projectId, slug)
    },

    page(project: ProjectRow, { limit, offset }: Page): ListRow[] {
      return page.all(project.id, limit, offset)
    },

    create({ project, creatorId, now, title, notes, priority }: NewList): ListRow {
      const { id: projectId, company_id: companyId } = project
      const ref = mintRef('list', randomBelow)
      const slug = names.fresh(projectId, title)
      const texts = { title, notes: notes?.plain ?? null, notesHtml: notes?.html ?? null }
      const row = { companyId, projectId, ref, slug, ...texts, priority, creatorId, now }
      names.take(projectId, slug, Number(insert.run(row).lastInsertRowid))
      projects.countWork(projectId, { lists: 1, tasks: 0 })
      return reread({ company_id: companyId, ref })
    },

    update(list: ListRow, { title, notes, priority }: ListInput, now: number): ListRow {
      const { id, company_id: companyId, project_id: projectId } = list
      const slug = title === list.title ? list.slug : names.renamed(projectId, title, id)
      const texts = { title, notes: notes?.plain ?? null, notesHtml: notes?.html ?? null }
      update.run({ id, companyId, slug, ...texts, priority, now })
      names.take(projectId, slug, id)
      return reread(list)
    },

    /** For good, with all its tasks and comments. */
    remove(list: ListRow): void {
      remove.run(list.id, list.company_id)
      projects.countWork(list.project_id, { lists: -1, tasks: -list.tasks_count })
    },

    /** Keeps the counters of a list, and of its project, in step with its tasks. */
    countTasks(
      list: { id: number; project_id: number },
      by: { tasks: 1 | 0 | -1; completed: 1 | 0 | -1 },
    ): void {
      count.run(by.tasks, by.completed, list.id)
      if (by.tasks !== 0) projects.countWork(list.project_id, { lists: 0, tasks: by.tasks })
    },
  }
}
