import type { Db } from '../../db/database.ts'
import { slugs } from '../../db/slugs.ts'
import { mintRef, type RandomBelow } from '../../domain/handle.ts'
import type { ProjectFields } from '../../domain/project.ts'
import type { Page } from '../../http/page.ts'

export interface ProjectRow {
  id: number
  company_id: number
  ref: string
  slug: string
  name: string
  description: string
  is_public: number
  start_date: string | null
  end_date: string | null
  task_lists_count: number
  tasks_count: number
  discussions_count: number
  root_files_count: number
  archived_at: number | null
  created_at: number
  updated_at: number
}

export interface NewProject extends ProjectFields {
  companyId: number
  creatorId: number
  now: number
}

export type ProjectStore = ReturnType<typeof projectStore>

export function projectStore(db: Db, randomBelow: RandomBelow) {
  const names = slugs(db, 'project')
  const columns = `
    p.id, p.company_id, p.ref, p.slug, p.name, p.description, p.is_public, p.start_date, p.end_date,
    p.task_lists_count, p.tasks_count, p.discussions_count, p.root_files_count,
    p.archived_at, p.created_at, p.updated_at`
  const byRef = db.prepare<[string, number], ProjectRow>(`
    select ${columns} from projects p
    where p.ref = ? and p.company_id = ? and p.deleted_at is null`)
  const bySlug = db.prepare<[number, string], ProjectRow>(`
    select ${columns} from project_slugs s
    join projects p on p.id = s.project_id
    where s.company_id = ? and s.slug = ? and p.deleted_at is null`)
  const openPage = db.prepare<[number, number, number], ProjectRow>(`
    select ${columns} from projects p
    where p.company_id = ? and p.deleted_at is null and p.archived_at is null
    order by p.id desc limit ? offset ?`)
  const livePage = db.prepare<[number, number, number], ProjectRow>(`
    select ${columns} from projects p
    where p.company_id = ? and p.deleted_at is null
    order by p.id desc limit ? offset ?`)
  const totals = db.prepare<[number], { live: number; archived: number }>(`
    select projects_count as live, archived_projects_count as archived
    from companies where id = ?`)
  const insert = db.prepare(`
    insert into projects
      (company_id, ref, slug, name, description, is_public, start_date, end_date, creator_id,
       created_at, updated_at)
    values
      (@companyId, @ref, @slug, @name, @description, @isPublic, @start_date, @end_date, @creatorId,
       @now, @now)`)
  const addMember = db.prepare<[number, number, number]>(`
    insert into project_members (project_id, user_id, created_at) values (?, ?, ?)
    on conflict (project_id, user_id) do nothing`)
  const removeMember = db.prepare<[number, number]>(
    'delete from project_members where project_id = ? and user_id = ?',
  )
  const evenDeleted = db.prepare<[string], ProjectRow & { deleted_at: number | null }>(`
    select ${columns}, p.deleted_at from projects p where p.ref = ?`)
  const update = db.prepare(`
    update projects set
      slug = @slug, name = @name, description = @description, is_public = @isPublic,
      start_date = @start_date, end_date = @end_date, updated_at = @now
    where id = @id and company_id = @companyId`)
  const setArchived = db.prepare<[number | null, number, number, number]>(`
    update projects set archived_at = ?, updated_at = ? where id = ? and company_id = ?`)
  const setDeleted = db.prepare<[number | null, number, number]>(`
    update projects set deleted_at = ? where id = ? and company_id = ?`)
  const count = db.prepare<[number, number, number]>(`
    update companies set
      projects_count = projects_count + ?,
      archived_projects_count = archived_projects_count + ?
    where id = ?`)
  const countWork = db.prepare<[number, number, number]>(`
    update projects set
      task_lists_count = task_lists_count + ?, tasks_count = tasks_count + ?
    where id = ?`)
  const countDiscussions = db.prepare<[number, number]>(`
    update projects set discussions_count = discussions_count + ? where id = ?`)

  const countRootFiles = db.prepare<[number, number]>(`
    update projects set root_files_count = root_files_count + ? where id = ?`)

  function find(companyId: number, ref: string): ProjectRow | undefined {
    return byRef.get(ref, companyId)
  }

  /** The row as it stands after a write of this transaction. */
  function reread(project: Pick<ProjectRow, 'company_id' | 'ref'>): ProjectRow {
    const row = find(project.company_id, project.ref)
    if (row === undefined) throw new Error(`Project ${project.ref} is gone after its own write`)
    return row
  }

  function countOne(project: ProjectRow, by: 1 | -1): void {
    count.run(by, project.archived_at === null ? 0 : by, project.company_id)
  }

  return {
    byRef: find,

    bySlug(companyId: number, slug: string): ProjectRow | undefined {
      return bySlug.get(companyId, slug)
    },

    page(companyId: number, includeArchived: boolean, { limit, offset }: Page): ProjectRow[] {
      return (includeArchived ? livePage : openPage).all(companyId, limit, offset)
    },

    total(companyId: number, includeArchived: boolean): number {
      const counted = totals.get(companyId) ?? { live: 0, archived: 0 }
      return includeArchived ? counted.live : counted.live - counted.archived
    },

    create(project: NewProject): ProjectRow {
      const ref = mintRef('project', randomBelow)
      const slug = names.fresh(project.companyId, project.name)
      const { companyId, creatorId, now, name, description, start_date, end_date } = project
      const isPublic = Number(project.is_public)
      const id = Number(
        insert.run({
          companyId,
          creatorId,
          now,
          ref,
          slug,
          name,
          description,
          isPublic,
          start_date,
          end_date,
        }).lastInsertRowid,
      )
      names.take(companyId, slug, id)
      addMember.run(id, creatorId, now)
      count.run(1, 0, companyId)
      return reread({ company_id: companyId, ref })
    },

    update(project: ProjectRow, fields: ProjectFields, now: number): ProjectRow {
      const { id, company_id: companyId } = project
      const slug =
        fields.name === project.name ? project.slug : names.renamed(companyId, fields.name, id)
      const { name, description, start_date, end_date } = fields
      const isPublic = Number(fields.is_public)
      update.run({ id, companyId, slug, name, description, isPublic, start_date, end_date, now })
      names.take(companyId, slug, id)
      return reread(project)
    },

    archive(project: ProjectRow, now: number): ProjectRow {
      if (project.archived_at !== null) return project
      setArchived.run(now, now, project.id, project.company_id)
      count.run(0, 1, project.company_id)
      return reread(project)
    },

    unarchive(project: ProjectRow, now: number): ProjectRow {
      if (project.archived_at === null) return project
      setArchived.run(null, now, project.id, project.company_id)
      count.run(0, -1, project.company_id)
      return reread(project)
    },

    /** Soft: an administrator can restore it. Its slug stays taken. */
    remove(project: ProjectRow, now: number): void {
      setDeleted.run(now, project.id, project.company_id)
      countOne(project, -1)
    },

    /** For administration, which knows no company and sees what is deleted. */
    evenDeleted(ref: string) {
      return evenDeleted.get(ref)
    },

    restore(project: ProjectRow): void {
      setDeleted.run(null, project.id, project.company_id)
      countOne(project, 1)
    },

    /** Keeps the counters of a project in step with what lies below it. */
    countWork(projectId: number, by: { lists: number; tasks: number }): void {
      countWork.run(by.lists, by.tasks, projectId)
    },

    countDiscussions(projectId: number, by: 1 | -1): void {
      countDiscussions.run(by, projectId)
    },

    countRootFiles(projectId: number, by: 1 | -1): void {
      countRootFiles.run(by, projectId)
    },

    addMember(project: ProjectRow, userId: number, now: number): void {
      addMember.run(project.id, userId, now)
    },

    /** Whether there was a membership to end. */
    removeMember(project: ProjectRow, userId: number): boolean {
      return removeMember.run(project.id, userId).changes > 0
    },
  }
}
