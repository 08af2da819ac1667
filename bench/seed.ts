import { randomInt } from 'node:crypto'
import { companyDefaults, createCompany } from '../src/admin/companies.ts'
import { adminContext } from '../src/admin/context.ts'
import { createKey } from '../src/admin/keys.ts'
import { createUser } from '../src/admin/users.ts'
import { systemClock } from '../src/clock.ts'
import { dataFolder, prepareFolder } from '../src/db/data-folder.ts'
import type { Db } from '../src/db/database.ts'
import { openDatabase } from '../src/db/open.ts'
import { mintRef, type RefKind } from '../src/domain/handle.ts'
import { presets } from '../src/domain/operations.ts'
import { slugify } from '../src/domain/slug.ts'

const PROJECTS = 200
const LISTS_A_PROJECT = 5
const TASKS_A_LIST = 20
/** Every fourth task of a list is completed. */
const COMPLETED_EVERY = 4
const DAY = 86_400_000

export interface Seeded {
  readonly folder: string
  readonly companyId: number
  readonly key: string
  readonly projectRefs: readonly string[]
  readonly tasks: number
}

/** A company of 20,000 tasks, and a key to it. */
export async function seed(folder: string): Promise<Seeded> {
  prepareFolder(dataFolder(folder))
  const db = openDatabase(dataFolder(folder).database)
  try {
    const context = adminContext(db, systemClock)
    const company = createCompany(context, {
      ...companyDefaults,
      name: 'مكتب القياس',
      timeZone: 'Asia/Riyadh',
      plan: 'enterprise',
      restApi: true,
    })
    const owner = createUser(context, {
      companyId: company.id,
      name: 'سارة',
      email: 'sara@bench.example',
      role: 'owner',
    })
    const { key } = await createKey(context, {
      companyId: company.id,
      creatorEmail: owner.email,
      name: 'Benchmark',
      grant: presets.write,
      expiresAt: null,
    })
    const fill = filler(db, company.id, owner.id, context.now())
    const projectRefs = db.transaction(() => fill()).immediate()
    // The servers under test shall not find the seed in the write-ahead log.
    db.pragma('wal_checkpoint(truncate)')
    const tasks = PROJECTS * LISTS_A_PROJECT * TASKS_A_LIST
    return { folder, companyId: company.id, key, projectRefs, tasks }
  } finally {
    db.close()
  }
}

function filler(db: Db, companyId: number, creatorId: number, now: number): () => string[] {
  const project = db.prepare(`
    insert into projects
      (company_id, ref, slug, name, description, start_date, creator_id, task_lists_count,
       tasks_count, created_at, updated_at)
    values
      (@companyId, @ref, @slug, @name, @description, '2026-03-01', @creatorId, @lists, @tasks, @at,
       @at)`)
  const list = db.prepare(`
    insert into task_lists
      (company_id, project_id, ref, slug, title, notes, creator_id, tasks_count,
       completed_tasks_count, created_at, updated_at)
    values
      (@companyId, @projectId, @ref, @slug, @title, @notes, @creatorId, @tasks, @completed, @at,
       @at)`)
  const task = db.prepare(`
    insert into tasks
      (company_id, list_id, ref, slug, title, notes, position, creator_id, completed_at, created_at,
       updated_at)
    values
      (@companyId, @listId, @ref, @slug, @title, @notes, @position, @creatorId, @completedAt, @at,
       @at)`)
  const member = db.prepare<[number, number, number]>(
    'insert into project_members (project_id, user_id, created_at) values (?, ?, ?)',
  )
  const projectSlug = db.prepare<[number, string, number]>(
    'insert into project_slugs (company_id, slug, project_id) values (?, ?, ?)',
  )
  const listSlug = db.prepare<[number, string, number]>(
    'insert into task_list_slugs (project_id, slug, list_id) values (?, ?, ?)',
  )
  const taskSlug = db.prepare<[number, string, number]>(
    'insert into task_slugs (list_id, slug, task_id) values (?, ?, ?)',
  )
  const count = db.prepare<[number, number]>('update companies set projects_count = ? where id = ?')
  const common = { companyId, creatorId }

  function addProject(number: number): string {
    const [ref, at] = [refOf('project'), now - (PROJECTS - number) * DAY]
    const name = number % 2 === 0 ? `إطلاق المتجر ${number}` : `Website launch ${number}`
    const description = 'كل ما يلزم قبل الافتتاح: everything that is needed before the opening.'
    const tasks = LISTS_A_PROJECT * TASKS_A_LIST
    const fields = { ref, slug: slugify(name), name, description, lists: LISTS_A_PROJECT, tasks }
    const id = Number(project.run({ ...common, ...fields, at }).lastInsertRowid)
    projectSlug.run(companyId, fields.slug, id)
    member.run(id, creatorId, at)
    for (let i = 1; i <= LISTS_A_PROJECT; i++) addList(id, i, at)
    return ref
  }

  function addList(projectId: number, number: number, at: number): void {
    const title = `قائمة المهام ${number}`
    const completed = Math.floor(TASKS_A_LIST / COMPLETED_EVERY)
    const counts = { tasks: TASKS_A_LIST, completed }
    const fields = { ref: refOf('list'), slug: slugify(title), title, notes: 'Week by week.' }
    const row = { ...common, ...fields, ...counts, projectId, at }
    const id = Number(list.run(row).lastInsertRowid)
    listSlug.run(projectId, fields.slug, id)
    for (let i = 1; i <= TASKS_A_LIST; i++) addTask(id, i, at)
  }

  function addTask(listId: number, position: number, at: number): void {
    const title = `راجع العرض مع العميل ${position}`
    const completedAt = position % COMPLETED_EVERY === 0 ? at + DAY : null
    const fields = {
      ref: refOf('task'),
      slug: slugify(title),
      title,
      notes: 'Ask for the figures.',
    }
    const row = { ...common, ...fields, listId, position, completedAt, at }
    taskSlug.run(listId, fields.slug, Number(task.run(row).lastInsertRowid))
  }

  return () => {
    count.run(PROJECTS, companyId)
    return Array.from({ length: PROJECTS }, (_, i) => addProject(i + 1))
  }
}

function refOf(kind: RefKind): string {
  return mintRef(kind, (limit) => randomInt(limit))
}
