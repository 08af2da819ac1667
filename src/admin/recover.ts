import { departedNames } from '../db/names/departed.ts'
import { Failure } from '../domain/failure.ts'
import { createStores } from '../stores.ts'
import { type AdminContext, recordAdministration } from './context.ts'

/** Undoes a soft delete: the project and everything below it answer again, under the same handles. */
export function restoreProject(context: AdminContext, ref: string) {
  const { projects } = createStores(context.db, context.randomBelow)
  const find = () => deletedOne('project', ref, projects.evenDeleted(ref))
  return departedNames(context.db).bringBack(find().id, () => {
    // Another may have been faster.
    const project = find()
    projects.restore(project)
    record(context, 'projects:restore', `project restore ${ref}`, project.company_id)
    return { restored: true, project: { name: project.name, id: ref, slug: project.slug } }
  })
}

/** The same for a discussion. In a deleted project, which `waitsFor` names, it answers once that is restored too. */
export function restoreDiscussion(context: AdminContext, ref: string) {
  const { discussions } = createStores(context.db, context.randomBelow)
  return context.db
    .transaction(() => {
      const discussion = deletedOne('discussion', ref, discussions.evenDeleted(ref))
      discussions.restore(discussion)
      record(context, 'discussions:restore', `discussion restore ${ref}`, discussion.company_id)
      const { title, slug, project_ref, project_deleted_at } = discussion
      const restored = { restored: true, discussion: { title, id: ref, slug } }
      return { restored, waitsFor: project_deleted_at === null ? null : project_ref }
    })
    .immediate()
}

function deletedOne<R extends { deleted_at: number | null }>(
  kind: string,
  ref: string,
  row: R | undefined,
): R {
  if (row === undefined) {
    throw new Failure(`There is no ${kind} ${ref}: give the ref that its deletion answered.`)
  }
  if (row.deleted_at === null) throw new Failure(`The ${kind} ${ref} is not deleted.`)
  return row
}

function record(context: AdminContext, operation: string, path: string, companyId: number): void {
  recordAdministration(context, { companyId, operation, path, keyId: null })
}
