import { randomInt } from 'node:crypto'
import type { Db } from '../src/db/database.ts'
import { mintRef, type RefKind } from '../src/domain/handle.ts'
import { fromPlain } from '../src/domain/rich-text.ts'
import { slugify } from '../src/domain/slug.ts'
import { taskOrder } from '../src/resources/tasks/order.ts'

export interface Size {
  readonly projects: number
  readonly listsAProject: number
  readonly tasksAList: number
}

export interface People {
  readonly companyId: number
  readonly creatorId: number
  /** The first of them is the creator. */
  readonly memberIds: readonly number[]
}

/** Every fourth task of a list is completed, every third is somebody's. */
const COMPLETED_EVERY = 4
const ASSIGNED_EVERY = 3
const MEMBERS_A_PROJECT = 3
const DAY = 86_400_000

const listNotes = withHtml('Week by week.')
const taskNotes = withHtml('Ask for the figures.')

export function tasksIn({ projects, listsAProject, tasksAList }: Size): number {
  return projects * listsAProject * tasksAList
}

/** Fills a company with work, past the stores but with all that they would have kept: slugs, counters, blocks. */
export function fill(db: Db, people: People, size: Size, now: number): void {
  const { companyId, creatorId, memberIds } = people
  const { projects, listsAProject, tasksAList } = size
  const insert = inserts(db)
  const order = taskOrder(db)
  const names = Array.from({ length: tasksAList }, (_, i) => named(`راجع العرض مع العميل ${i + 1}`))
  const common = { companyId, creatorId }

  function addProject(number: number): void {
    const at = now - (projects - number) * DAY
    const name = number % 2 === 0 ? `إطلاق المتجر ${number}` : `Website launch ${number}`
    const slug = slugify(name)
    const description = 'كل ما يلزم قبل الافتتاح: everything that is needed before the opening.'
    const counts = { lists: listsAProject, tasks: listsAProject * tasksAList }
    const row = { ...common, ref: refOf('project'), slug, name, description, ...counts, at }
    const id = Number(insert.project.run(row).lastInsertRowid)
    insert.projectSlug.run(companyId, slug, id)
    const members = membersOf(number, memberIds)
    for (const member of members) insert.member.run(id, member, at)
    for (let i = 1; i <= listsAProject; i++) addList(id, i, members, at)
  }

  function addList(projectId: number, number: number, members: number[], at: number): void {
    const { title, slug } = named(`قائمة المهام ${number}`)
    const counts = { tasks: tasksAList, completed: Math.floor(tasksAList / COMPLETED_EVERY) }
    const row = {
      ...common,
      projectId,
      ref: refOf('list'),
      slug,
      title,
      ...listNotes,
      ...counts,
      at,
    }
    const id = Number(insert.list.run(row).lastInsertRowid)
    insert.listSlug.run(projectId, slug, id)
    for (let i = 1; i <= tasksAList; i++) addTask(id, i, members, at)
  }

  function addTask(listId: number, number: number, members: number[], at: number): void {
    const { title, slug } = names[number - 1] as { title: string; slug: string }
    const assigneeId =
      number % ASSIGNED_EVERY === 0 ? members[(number / ASSIGNED_EVERY) % members.length] : null
    const completedAt = number % COMPLETED_EVERY === 0 ? at + DAY : null
    const row = { ...common, listId, ref: refOf('task'), slug, title, ...taskNotes, assigneeId }
    const position = order.append(listId)
    const { lastInsertRowid } = insert.task.run({ ...row, position, completedAt, at })
    insert.taskSlug.run(listId, slug, Number(lastInsertRowid))
  }

  function addAll(): void {
    insert.count.run(projects, companyId)
    for (let number = 1; number <= projects; number++) addProject(number)
  }

  db.transaction(addAll).immediate()
}

function inserts(db: Db) {
  return {
    project: db.prepare(`
      insert into projects
        (company_id, ref, slug, name, description, start_date, creator_id, task_lists_count,
         tasks_count, created_at, updated_at)
      values
        (@companyId, @ref, @slug, @name, @description, '2026-03-01', @creatorId, @lists, @tasks,
         @at, @at)`),
    list: db.prepare(`
      insert into task_lists
        (company_id, project_id, ref, slug, title, notes_html, notes, creator_id, tasks_count,
         completed_tasks_count, created_at, updated_at)
      values
        (@companyId, @projectId, @ref, @slug, @title, @html, @plain, @creatorId, @tasks,
         @completed, @at, @at)`),
    task: db.prepare(`
      insert into tasks
        (company_id, list_id, ref, slug, title, notes_html, notes, position, assignee_id,
         creator_id, completed_at, created_at, updated_at)
      values
        (@companyId, @listId, @ref, @slug, @title, @html, @plain, @position, @assigneeId,
         @creatorId, @completedAt, @at, @at)`),
    member: db.prepare<[number, number, number]>(
      'insert into project_members (project_id, user_id, created_at) values (?, ?, ?)',
    ),
    projectSlug: db.prepare<[number, string, number]>(
      'insert into project_slugs (company_id, slug, project_id) values (?, ?, ?)',
    ),
    listSlug: db.prepare<[number, string, number]>(
      'insert into task_list_slugs (project_id, slug, list_id) values (?, ?, ?)',
    ),
    taskSlug: db.prepare<[number, string, number]>(
      'insert into task_slugs (list_id, slug, task_id) values (?, ?, ?)',
    ),
    count: db.prepare<[number, number]>('update companies set projects_count = ? where id = ?'),
  }
}

function membersOf(project: number, [creator, ...others]: readonly number[]): number[] {
  const chosen = Array.from(
    { length: MEMBERS_A_PROJECT - 1 },
    (_, i) => others[(project + i) % others.length] as number,
  )
  return [creator as number, ...chosen]
}

function named(title: string): { title: string; slug: string } {
  return { title, slug: slugify(title) }
}

function withHtml(text: string): { html: string; plain: string | null } {
  const { html, plain } = fromPlain(text)
  return { html, plain }
}

function refOf(kind: RefKind): string {
  return mintRef(kind, (limit) => randomInt(limit))
}
