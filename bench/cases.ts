import Database from 'better-sqlite3'
import { dataFolder } from '../src/db/data-folder.ts'
import { richOrNull } from '../src/domain/rich-text.ts'
import { collection, created, ok, type Reply } from '../src/http/reply.ts'
import type { ListRow } from '../src/resources/lists/store.ts'
import { shapeProject } from '../src/resources/projects/shape.ts'
import { shapeTask } from '../src/resources/tasks/shape.ts'
import type { Stores } from '../src/stores.ts'
import type { Seeded } from './seed.ts'

/** One line of the result. A new one needs nothing but an entry here. */
export interface Case {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** What is asked for, in turn; relative to the base address. Made anew for every run. */
  paths(seeded: Seeded): string[]
  /** JSON; `{n}` in it becomes a number that no other request has. */
  readonly body?: string
  /** The same work without the house around it: where the bare server answers, and what. */
  readonly pattern: string
  bare(stores: Stores, request: BareRequest): Reply
}

export interface BareRequest {
  readonly companyId: number
  readonly creatorId: number
  readonly now: number
  /** What stands in the path where the pattern has names. */
  readonly parameters: readonly string[]
  readonly body: unknown
}

const firstPage = { limit: 50, offset: 0 }

const projectCases: readonly Case[] = [
  {
    name: 'GET /projects/{ref}',
    method: 'GET',
    paths: ({ projectRefs }) => projectRefs.map((ref) => `/projects/${ref}`),
    pattern: '/projects/:ref',
    bare: ({ projects }, { companyId, parameters: [ref = ''] }) =>
      ok(shapeProject(found(projects.byRef(companyId, ref), ref))),
  },
  {
    name: 'GET /projects (50)',
    method: 'GET',
    paths: () => ['/projects'],
    pattern: '/projects',
    bare: ({ projects }, { companyId }) =>
      collection(
        projects.page(companyId, false, firstPage).map(shapeProject),
        projects.total(companyId, false),
        firstPage,
      ),
  },
]

/** Creating is the last, as it is the one that makes the table another. */
export const taskCases: readonly Case[] = [
  {
    name: 'GET /tasks/{ref}',
    method: 'GET',
    paths: ({ taskRefs }) => taskRefs.map((ref) => `/tasks/${ref}`),
    pattern: '/tasks/:ref',
    bare({ tasks }, { companyId, parameters: [ref = ''] }) {
      const task = found(tasks.byRef(companyId, ref), ref)
      return ok(shapeTask(task, task))
    },
  },
  {
    name: 'GET /lists/{ref}/tasks (50)',
    method: 'GET',
    paths: tasksOfLists,
    pattern: '/lists/:ref/tasks',
    bare({ lists, tasks }, { companyId, parameters: [ref = ''] }) {
      const list = found(lists.byRef(companyId, ref), ref)
      const place = { project_slug: list.project_slug, task_list_slug: list.slug }
      const page = tasks.page(list, firstPage).map((task) => shapeTask(task, place))
      return collection(page, list.tasks_count, firstPage)
    },
  },
  {
    name: 'POST /tasks/{ref}/complete',
    method: 'POST',
    paths: realChanges,
    pattern: '/tasks/:ref/:action',
    bare({ tasks }, { companyId, now, parameters: [ref = '', action] }) {
      const before = found(tasks.byRef(companyId, ref), ref)
      const task = action === 'complete' ? tasks.complete(before, now) : tasks.reopen(before, now)
      return ok(shapeTask(task, task))
    },
  },
  {
    name: 'POST /lists/{ref}/tasks',
    method: 'POST',
    paths: tasksOfLists,
    // A title that is taken costs a search for a free slug: that is another measurement.
    body: JSON.stringify({
      title: 'راجع العقد {n}',
      notes: 'مع المحامي / with the lawyer',
      due_at: '2026-03-15',
    }),
    pattern: '/lists/:ref/tasks',
    bare({ lists, tasks }, { companyId, creatorId, now, parameters: [ref = ''], body }) {
      const list: ListRow = found(lists.byRef(companyId, ref), ref)
      const { title, notes, due_at } = body as { title: string; notes: string; due_at: string }
      const input = { title, notes: richOrNull(notes), due_at, assigneeId: null }
      const task = tasks.create({ ...input, list, creatorId, now })
      return created(shapeTask(task, task))
    },
  },
]

export const cases: readonly Case[] = [...projectCases, ...taskCases]

function tasksOfLists({ listRefs }: Seeded): string[] {
  return listRefs.map((ref) => `/lists/${ref}/tasks`)
}

/**
 * Completing a completed task changes nothing, so every request of a run must find its task in the other state: a
 * pass over the sample turns each task round, the next turns it back, and so on. Where a run before this one broke
 * off is read from the database.
 */
function realChanges({ folder, taskRefs }: Seeded): string[] {
  const db = new Database(dataFolder(folder).database, { readonly: true })
  try {
    const isOpen = db
      .prepare<[string], number>('select completed_at is null from tasks where ref = ?')
      .pluck()
    const open = new Set(taskRefs.filter((ref) => isOpen.get(ref) === 1))
    const turn = (ref: string, isBack: boolean): string =>
      `/tasks/${ref}/${open.has(ref) === isBack ? 'incomplete' : 'complete'}`
    return [false, true].flatMap((isBack) => taskRefs.map((ref) => turn(ref, isBack)))
  } finally {
    db.close()
  }
}

function found<T>(row: T | undefined, ref: string): T {
  if (row === undefined) throw new Error(`There is no ${ref}`)
  return row
}
