import type { Route } from '../../src/http/route.ts'
import type {
  SeededCompany,
  SeededDiscussion,
  SeededEvent,
  SeededFile,
  SeededFolder,
  SeededList,
  SeededProject,
  SeededTask,
} from '../../src/index.ts'

/** One address of one route, as the table-driven tests walk them. */
export interface Address {
  route: Route
  path: string
  title: string
}

export function everyAddress(routes: readonly Route[]): Address[] {
  return routes.flatMap((route) =>
    route.paths.map((path) => ({ route, path, title: `${route.method} ${path}` })),
  )
}

/** One record of each kind that a path can name. */
export interface Records {
  project: SeededProject
  list: SeededList
  task: SeededTask
  discussion: SeededDiscussion
  folder: SeededFolder
  file: SeededFile
  event: SeededEvent
}

export function populate(
  company: SeededCompany,
  { by = company.owner.email, word = 'Real' } = {},
): Records {
  const project = company.project({ name: word, description: 'x', start_date: '2026-01-01' })
  const list = project.list({ title: `${word} list`, by })
  const assignee_email = company.owner.email
  const task = list.task({ title: `${word} task`, due_at: '2026-03-02', assignee_email, by })
  list.comment('On the list')
  task.comment('On the task')
  const discussion = project.discussion({ title: `${word} topic`, by })
  const folder = project.folder({ name: `${word} folder`, by })
  const file = folder.link({ name: `${word} link`, by })
  const event = company.event({ name: `${word} event`, by, attendee_emails: [company.owner.email] })
  return { project, list, task, discussion, folder, file, event }
}

export interface Handles {
  project_id: string
  list_id: string
  task_id: string
  discussion_id: string
  folder_id: string
  file_id: string
  event_id: string
}

export function refsOf(records: Records): Handles {
  const { project, list, task, discussion, folder, file, event } = records
  return {
    project_id: project.id,
    list_id: list.id,
    task_id: task.id,
    discussion_id: discussion.id,
    folder_id: String(folder.id),
    file_id: file.ref,
    event_id: String(event.id),
  }
}

/** A file has no slug; its number stands in the same place. */
export function slugsOf(records: Records): Handles {
  const { project, list, task, discussion, folder, file, event } = records
  return {
    project_id: project.slug,
    list_id: list.slug,
    task_id: task.slug,
    discussion_id: discussion.slug,
    folder_id: encodeURIComponent(folder.name),
    file_id: String(file.id),
    event_id: String(event.id),
  }
}

export const missing: Handles = {
  project_id: 'prj-0000000000',
  list_id: 'lst-0000000000',
  task_id: 'tsk-0000000000',
  discussion_id: 'mjl-0000000000',
  folder_id: '0',
  file_id: 'fil-0000000000',
  event_id: '0',
}

/** Puts handles into the parameters of a path. */
export function fill(path: string, handles: Handles): string {
  return path.replace(/\{(\w+)\}/g, (_, name: keyof Handles) => encodeURIComponent(handles[name]))
}

export function parametersOf(path: string): (keyof Handles)[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof Handles)
}

/** A body that each write with one accepts. */
export function goodBody(route: Route, handles: Handles): unknown {
  if (route.body === undefined) return undefined
  if (route.name === 'moveTask') return { task_list_id: handles.list_id, position: 1 }
  return route.bodyExample ?? {}
}

/** What it answers when it goes well. The file among the records is a link, which is downloaded elsewhere. */
export function goodStatus(route: Route): number {
  return route.name === 'downloadFile' ? 302 : route.reply.status
}
