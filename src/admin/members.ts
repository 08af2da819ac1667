import { Failure } from '../domain/failure.ts'
import { looksLikeRef } from '../domain/handle.ts'
import type { ProjectRow } from '../resources/projects/store.ts'
import { projectStore } from '../resources/projects/store.ts'
import type { AdminContext } from './context.ts'
import { findActiveUser, findUser } from './users.ts'

export interface Membership {
  companyId: number
  project: string
  email: string
}

export function addMember(context: AdminContext, membership: Membership) {
  return context.db
    .transaction(() => {
      const user = findActiveUser(context, membership.companyId, membership.email)
      const project = findProject(context, membership)
      context.db
        .prepare(`
          insert into project_members (project_id, user_id, created_at) values (?, ?, ?)
          on conflict (project_id, user_id) do nothing`)
        .run(project.id, user.id, context.now())
      return shape(project, user.email, true)
    })
    .immediate()
}

export function removeMember(context: AdminContext, membership: Membership) {
  return context.db
    .transaction(() => {
      const user = findUser(context, membership.companyId, membership.email)
      const project = findProject(context, membership)
      const { changes } = context.db
        .prepare('delete from project_members where project_id = ? and user_id = ?')
        .run(project.id, user.id)
      if (changes === 0) throw new Failure(`${user.email} is no member of ${project.ref}.`)
      return shape(project, user.email, false)
    })
    .immediate()
}

function findProject(context: AdminContext, { companyId, project }: Membership): ProjectRow {
  const projects = projectStore(context.db, context.randomBelow)
  const found = looksLikeRef(project)
    ? projects.byRef(companyId, project)
    : projects.bySlug(companyId, project)
  if (found === undefined) {
    throw new Failure(
      `Company ${companyId} has no project ${project}: give its ref (prj-…) or its slug.`,
    )
  }
  return found
}

function shape(project: ProjectRow, email: string, isMember: boolean) {
  return { project: project.ref, slug: project.slug, email, member: isMember }
}
