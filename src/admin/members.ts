import { Failure } from '../domain/failure.ts'
import { looksLikeRef } from '../domain/handle.ts'
import { type ProjectRow, type ProjectStore, projectStore } from '../resources/projects/store.ts'
import { type AdminContext, recordAdministration } from './context.ts'
import { findActiveUser, findUser } from './users.ts'

export interface Membership {
  companyId: number
  project: string
  email: string
}

export function addMember(context: AdminContext, membership: Membership) {
  const projects = projectStore(context.db, context.randomBelow)
  return context.db
    .transaction(() => {
      const user = findActiveUser(context, membership.companyId, membership.email)
      const project = findProject(projects, membership)
      projects.addMember(project, user.id, context.now())
      record(context, 'add', project, user.email)
      return shape(project, user.email, true)
    })
    .immediate()
}

export function removeMember(context: AdminContext, membership: Membership) {
  const projects = projectStore(context.db, context.randomBelow)
  return context.db
    .transaction(() => {
      const user = findUser(context, membership.companyId, membership.email)
      const project = findProject(projects, membership)
      if (!projects.removeMember(project, user.id)) {
        throw new Failure(`${user.email} is no member of ${project.ref}.`)
      }
      record(context, 'remove', project, user.email)
      return shape(project, user.email, false)
    })
    .immediate()
}

function findProject(projects: ProjectStore, { companyId, project }: Membership): ProjectRow {
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

function record(context: AdminContext, verb: string, project: ProjectRow, email: string): void {
  recordAdministration(context, {
    companyId: project.company_id,
    operation: `members:${verb}`,
    path: `member ${verb} ${project.ref} ${email}`,
    keyId: null,
  })
}

function shape(project: ProjectRow, email: string, isMember: boolean) {
  return { project: project.ref, slug: project.slug, email, member: isMember }
}
