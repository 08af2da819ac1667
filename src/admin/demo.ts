import { Failure } from '../domain/failure.ts'
import { presets } from '../domain/operations.ts'
import { fromHtml, fromPlain, richOrNull } from '../domain/rich-text.ts'
import type { ProjectRow } from '../resources/projects/store.ts'
import type { Vault } from '../storage/vault.ts'
import { createStores, type Stores } from '../stores.ts'
import { companyDefaults, createCompany } from './companies.ts'
import type { AdminContext } from './context.ts'
import { addDemoEvents, DEMO_ZONE } from './demo-events.ts'
import { addDemoFiles, type StoredDemoFiles, storeDemoFiles } from './demo-files.ts'
import { demoPeople, type PersonIds } from './demo-people.ts'
import { type DemoList, type DemoProject, demoProjects } from './demo-work.ts'
import { createKey } from './keys.ts'
import { createUser } from './users.ts'

export interface Demo {
  companyId: number
  key: string
}

/** A bilingual company to look around in. It is made on an empty database only; later starts add a key to it. */
export async function prepareDemo(context: AdminContext, vault: Vault): Promise<Demo> {
  const companyId = findCompany(context) ?? (await makeCompany(context, vault))
  const { key } = await createKey(context, {
    companyId,
    creatorEmail: 'noura@majlis.example',
    name: 'Demo key',
    grant: presets.write,
    expiresAt: null,
  })
  return { companyId, key }
}

function findCompany(context: AdminContext): number | null {
  const companies = context.db
    .prepare<[], { id: number; is_demo: number }>('select id, is_demo from companies order by id')
    .all()
  const demo = companies.find((company) => company.is_demo === 1)
  if (demo) return demo.id
  if (companies.length > 0) {
    throw new Failure(
      'This data folder already has companies of its own, and --demo fills an empty one only: start without --demo, or name another folder with --data.',
    )
  }
  return null
}

async function makeCompany(context: AdminContext, vault: Vault): Promise<number> {
  const stored = await storeDemoFiles(vault)
  return context.db.transaction(() => fillCompany(context, stored)).immediate()
}

function fillCompany(context: AdminContext, stored: StoredDemoFiles): number {
  const { id: companyId } = createCompany(context, {
    ...companyDefaults,
    name: 'مجلس التجربة Demo Majlis',
    timeZone: DEMO_ZONE,
    plan: 'productive',
    restApi: true,
    isDemo: true,
  })
  const ids = Object.fromEntries(
    Object.entries(demoPeople).map(([called, person]) => [
      called,
      createUser(context, { companyId, ...person }).id,
    ]),
  ) as PersonIds
  const stores = createStores(context.db, context.randomBelow)
  for (const wanted of demoProjects) {
    const project = addProject(stores, wanted, companyId, ids, context.now())
    addDemoFiles(stores, wanted.files, stored, project, ids, context.now())
  }
  addDemoEvents(stores, companyId, ids, context.now())
  return companyId
}

function addProject(
  stores: Stores,
  { name, description, is_public, start_date, end_date, lists, discussions }: DemoProject,
  companyId: number,
  ids: PersonIds,
  now: number,
): ProjectRow {
  const fields = { name, description, is_public, start_date, end_date }
  const project = stores.projects.create({ ...fields, companyId, creatorId: ids.noura, now })
  for (const list of lists) addList(stores, list, project, ids, now)
  for (const { title, body, by, category = null, replies } of discussions) {
    const text = { title, body: fromPlain(body), category }
    const topic = stores.discussions.publish({ ...text, project, authorId: ids[by], now })
    for (const [author, html] of replies) {
      const reply = { content: fromHtml(html), authorId: ids[author], now }
      stores.comments.onDiscussion.add(topic, reply)
    }
  }
  return project
}

function addList(
  { lists, tasks, comments }: Stores,
  { title, notes, priority, tasks: wanted, comments: said = [] }: DemoList,
  project: ProjectRow,
  ids: PersonIds,
  now: number,
): void {
  const identity = { creatorId: ids.noura, now }
  const list = lists.create({
    title,
    notes: richOrNull(notes ?? null),
    priority: priority ?? null,
    project,
    ...identity,
  })
  for (const [by, html] of said) {
    comments.onList.add(list, { content: fromHtml(html), authorId: ids[by], now })
  }
  for (const each of wanted) {
    const task = tasks.create({
      title: each.title,
      notes: richOrNull(each.notes ?? null),
      due_at: each.due ?? null,
      assigneeId: each.assignee ? ids[each.assignee] : null,
      list,
      ...identity,
    })
    if (each.isDone) tasks.complete(task, now)
    if (each.minutes) tasks.recordTime(task, each.minutes, now)
    for (const [by, html] of each.comments ?? []) {
      comments.onTask.add(task, { content: fromHtml(html), authorId: ids[by], now })
    }
  }
}
