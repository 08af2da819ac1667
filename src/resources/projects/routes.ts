import { isDeepStrictEqual } from 'node:util'
import { blankProject, type ProjectFields } from '../../domain/project.ts'
import { unprocessable } from '../../http/errors.ts'
import { pageQuery } from '../../http/page.ts'
import { flag } from '../../http/query.ts'
import { collection, created, deleted, ok } from '../../http/reply.ts'
import { createdOne, pageOf, route, single } from '../context.ts'
import {
  changedFields,
  DeletedProject,
  fieldsOf,
  NewProjectBody,
  Project,
  ProjectChanges,
  projectExample,
  shapeProject,
} from './shape.ts'

const tag = 'Projects'
const oneProject = ['/projects/{project_id}'] as const

export const projectRoutes = [
  route({
    name: 'listProjects',
    tag,
    summary: 'List projects, newest first',
    method: 'GET',
    paths: ['/projects'],
    operation: 'projects:read',
    query: {
      include_archived: flag('Whether archived projects are listed too.'),
      ...pageQuery,
    },
    reply: pageOf(Project, 'A page of projects', projectExample),
    handle: ({ company, query }, { projects }) =>
      collection(
        projects.page(company.id, query.include_archived, query).map(shapeProject),
        projects.total(company.id, query.include_archived),
        query,
      ),
  }),

  route({
    name: 'createProject',
    tag,
    summary: 'Create a project',
    description: "The person who signed the key becomes the project's first member.",
    method: 'POST',
    paths: ['/projects'],
    operation: 'projects:write',
    query: {},
    body: NewProjectBody,
    bodyExample: { name: 'إطلاق المتجر', start_date: '2026-03-01' },
    reply: createdOne(Project, 'The new project', projectExample),
    handle({ company, caller, now, body }, { projects }) {
      const fields = inOrder(changedFields(blankProject, body))
      const identity = { companyId: company.id, creatorId: caller.creator.id, now }
      return created(shapeProject(projects.create({ ...fields, ...identity })))
    },
  }),

  route({
    name: 'getProject',
    tag,
    summary: 'Show a project',
    method: 'GET',
    paths: oneProject,
    operation: 'projects:read',
    query: {},
    reply: single(Project, 'The project', projectExample),
    handle: ({ address }) => ok(shapeProject(address.project_id)),
  }),

  route({
    name: 'updateProject',
    tag,
    summary: 'Change a project',
    description:
      'Only the sent fields change. A new name makes a new slug; the old one goes on resolving.',
    method: 'PATCH',
    paths: oneProject,
    operation: 'projects:write',
    query: {},
    body: ProjectChanges,
    bodyExample: { name: 'Store launch', end_date: null },
    reply: single(Project, 'The project as it is now', projectExample),
    handle({ address, now, body }, { projects }) {
      const project = address.project_id
      const before = fieldsOf(project)
      const fields = inOrder(changedFields(before, body))
      const isSame = isDeepStrictEqual(fields, before)
      return ok(shapeProject(isSame ? project : projects.update(project, fields, now)))
    },
  }),

  route({
    name: 'deleteProject',
    tag,
    summary: 'Delete a project',
    description:
      'Needs the right `delete_any_project`. Everything below it is gone too, until an administrator restores it.',
    method: 'DELETE',
    paths: oneProject,
    operation: 'projects:destructive',
    right: 'delete_any_project',
    leavesWork: true,
    query: {},
    reply: single(DeletedProject, 'What was deleted', {
      deleted: true,
      recoverable: true,
      project: { name: projectExample.name, id: projectExample.id, slug: projectExample.slug },
    }),
    handle({ address, now }, { projects }) {
      const { name, ref, slug } = address.project_id
      projects.remove(address.project_id, now)
      return deleted({ recoverable: true, project: { name, id: ref, slug } })
    },
  }),

  route({
    name: 'archiveProject',
    tag,
    summary: 'Archive a project',
    description: 'Freezes it: reads go on, writes are refused. Archiving it again changes nothing.',
    method: 'POST',
    paths: ['/projects/{project_id}/archive'],
    operation: 'projects:write',
    worksInArchive: true,
    query: {},
    reply: single(Project, 'The project, archived', { ...projectExample, archived: true }),
    handle: ({ address, now }, { projects }) =>
      ok(shapeProject(projects.archive(address.project_id, now))),
  }),

  route({
    name: 'unarchiveProject',
    tag,
    summary: 'Bring a project back from the archive',
    method: 'POST',
    paths: ['/projects/{project_id}/unarchive'],
    operation: 'projects:write',
    worksInArchive: true,
    query: {},
    reply: single(Project, 'The project, open again', projectExample),
    handle: ({ address, now }, { projects }) =>
      ok(shapeProject(projects.unarchive(address.project_id, now))),
  }),
]

function inOrder(fields: ProjectFields): ProjectFields {
  const { start_date, end_date } = fields
  if (start_date !== null && end_date !== null && end_date < start_date) {
    throw unprocessable("end_date can't be before start_date")
  }
  return fields
}
