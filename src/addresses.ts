import { readNumericId } from './domain/handle.ts'
import { findByHandle, type Resolver } from './http/address.ts'
import type { Call } from './http/call.ts'
import type { DiscussionRow } from './resources/discussions/store.ts'
import type { EventWithPeople } from './resources/events/store.ts'
import type { FileRow } from './resources/files/store.ts'
import type { FolderRow } from './resources/folders/store.ts'
import type { ListRow } from './resources/lists/store.ts'
import type { ProjectRow } from './resources/projects/store.ts'
import type { TaskRow } from './resources/tasks/store.ts'
import type { Stores } from './stores.ts'

/** The record that each path parameter of the surface names. */
export interface Address {
  project_id: ProjectRow
  list_id: ListRow
  task_id: TaskRow
  discussion_id: DiscussionRow
  folder_id: FolderRow
  file_id: FileRow
  event_id: EventWithPeople
}

type Above = Partial<Address>

export function resolvers(stores: Stores): (parameter: string, call: Call) => Resolver {
  const { projects, lists, tasks, discussions, folders, files, events } = stores
  const table: Record<keyof Address, (call: Call) => Resolver> = {
    project_id: (call) => (handle) =>
      findByHandle('project', handle, call.company.id, {
        byRef: (ref) => projects.byRef(call.company.id, ref),
        bySlug: projects.bySlug,
        isUnder: (project, companyId) => project.company_id === companyId,
      }),
    list_id: (call) => (handle, above: Above) =>
      findByHandle('list', handle, above.project_id?.id ?? null, {
        byRef: (ref) => lists.byRef(call.company.id, ref),
        bySlug: lists.bySlug,
        isUnder: (list, projectId) => list.project_id === projectId,
      }),
    task_id: (call) => (handle, above: Above) =>
      findByHandle('task', handle, above.list_id?.id ?? null, {
        byRef: (ref) => tasks.byRef(call.company.id, ref),
        bySlug: tasks.bySlug,
        isUnder: (task, listId) => task.list_id === listId,
      }),
    discussion_id: (call) => (handle, above: Above) =>
      findByHandle('discussion', handle, above.project_id?.id ?? null, {
        byRef: (ref) => discussions.byRef(call.company.id, ref),
        bySlug: discussions.bySlug,
        isUnder: (discussion, projectId) => discussion.project_id === projectId,
      }),
    folder_id: () => (handle, above: Above) => {
      const id = readNumericId(handle)
      const project = above.project_id
      return id === null || project === undefined ? undefined : folders.byId(project.id, id)
    },
    file_id: (call) => (handle, above: Above) =>
      findByHandle('file', handle, above.project_id?.id ?? null, {
        byRef: (ref) => files.byRef(call.company.id, ref),
        // spec: Identifiers 4. A file has no slug; under its project its number takes that place.
        bySlug(projectId, segment) {
          const id = readNumericId(segment)
          return id === null ? undefined : files.byId(projectId, id)
        },
        isUnder: (file, projectId) => file.project_id === projectId,
      }),
    event_id: (call) => (handle) => {
      const id = readNumericId(handle)
      return id === null ? undefined : events.visible(call.company.id, call.caller.creator.id, id)
    },
  }
  return (parameter, call) => table[parameter as keyof Address](call)
}

/** A record without a project in reach would be writable in an archive for want of a look, so that is a fault. */
export function isArchived(address: Record<string, unknown>): boolean {
  const {
    project_id: project,
    list_id: list,
    task_id: task,
    discussion_id: discussion,
    file_id: file,
    event_id: event,
  } = address as Above
  const below = task ?? list ?? discussion ?? file
  if (below !== undefined) return below.project_archived_at !== null
  if (project !== undefined) return project.archived_at !== null
  // An event is the company's, and of no project.
  if (event !== undefined) return false
  if (Object.keys(address).length > 0) throw new Error('An address leads to no project')
  return false
}
