import { Failure } from '../domain/failure.ts'
import { type AdminContext, recordAdministration } from './context.ts'

interface DeletedProject {
  id: number
  company_id: number
  ref: string
  slug: string
  name: string
  archived_at: number | null
  deleted_at: number | null
}

/** Undoes a soft delete: the project and everything below it answer again, under the same handles. */
export function restoreProject(context: AdminContext, ref: string) {
  const { db } = context
  return db
    .transaction(() => {
      const project = db
        .prepare<[string], DeletedProject>(`
          select id, company_id, ref, slug, name, archived_at, deleted_at
          from projects where ref = ?`)
        .get(ref)
      if (project === undefined) {
        throw new Failure(`There is no project ${ref}: give the ref that its deletion answered.`)
      }
      if (project.deleted_at === null) throw new Failure(`Project ${ref} is not deleted.`)
      db.prepare('update projects set deleted_at = null where id = ?').run(project.id)
      db.prepare(`
        update companies set
          projects_count = projects_count + 1,
          archived_projects_count = archived_projects_count + ?
        where id = ?`).run(project.archived_at === null ? 0 : 1, project.company_id)
      recordAdministration(context, {
        companyId: project.company_id,
        operation: 'projects:restore',
        path: `project restore ${ref}`,
        keyId: null,
      })
      return { restored: true, project: { name: project.name, id: ref, slug: project.slug } }
    })
    .immediate()
}
