import { Failure } from '../domain/failure.ts'
import { projectStore } from '../resources/projects/store.ts'
import { type AdminContext, recordAdministration } from './context.ts'

/** Undoes a soft delete: the project and everything below it answer again, under the same handles. */
export function restoreProject(context: AdminContext, ref: string) {
  const projects = projectStore(context.db, context.randomBelow)
  return context.db
    .transaction(() => {
      const project = projects.evenDeleted(ref)
      if (project === undefined) {
        throw new Failure(`There is no project ${ref}: give the ref that its deletion answered.`)
      }
      if (project.deleted_at === null) throw new Failure(`Project ${ref} is not deleted.`)
      projects.restore(project)
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
