import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { type AdminContext, adminContext } from '../../src/admin/context.ts'
import { restoreDiscussion, restoreProject } from '../../src/admin/recover.ts'
import { openDatabase } from '../../src/db/open.ts'
import { type NameKind, nameKinds } from '../../src/domain/name-terms.ts'
import type { Sandbox } from '../../src/index.ts'
import { boot, everything } from '../support/boot.ts'
import type { Answer, Api } from '../support/client.ts'
import {
  folderOf,
  linesOf,
  NamedThings,
  names,
  projectOf,
  type Query,
  queries,
  seedMany,
  soughtNames,
  type Thing,
  vocabulary,
} from '../support/named-things.ts'

type Act = 'create' | 'rename' | 'move' | 'turn' | 'delete' | 'restore'

/** One random write; the numbers choose among what is there. */
interface Step {
  what: readonly [act: Act, kind: NameKind]
  which: number
  where: number
  name: string
  query: Query
}

const steps: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof(
    each(4, 'create', nameKinds),
    each(4, 'rename', ['project', 'task_list', 'task', 'folder', 'discussion']),
    each(2, 'move', ['task', 'task', 'folder']),
    each(2, 'turn', ['project', 'task', 'task']),
    each(2, 'delete', nameKinds),
    each(2, 'restore', ['project', 'discussion']),
  ),
  which: fc.nat(30),
  where: fc.nat(30),
  name: names,
  query: queries,
})

/** Long ones are as likely as short ones; a failure is made small, but not for ever. */
const thorough = { unbiased: true, includeErrorInReport: true, interruptAfterTimeLimit: 90_000 }

/** A company, and what it must hold. */
interface World {
  readonly api: Api
  readonly things: NamedThings
  readonly administration: AdminContext
}

test('after any creates, renames, moves, deletions and restores a search answers what a plain model says', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const administration = administer(t, majlis)
  const newWorld = async (): Promise<World> => {
    const key = await majlis.seed.company({ plan: 'enterprise' }).key(everything)
    return { api: api.as(key.text), things: new NamedThings(), administration }
  }
  const neighbour = await newWorld()
  await furnish(neighbour, vocabulary)
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 80, size: 'max' }), async (sequence) => {
      const world = await newWorld()
      await furnish(world, ['أحمد', 'Café', 'مدرسة'])
      for (const step of sequence) {
        const touched = await take(world, step)
        const now = [...new Set(touched)].map((q) => ({ q, kinds: null, each: 25 }))
        await Promise.all([step.query, ...now].map((query) => compare(world, query)))
      }
      await compareAll(world)
    }),
    { ...thorough, numRuns: 40 },
  )
  await compareAll(neighbour)
})

test('however many names match, a search answers what a plain model says', async (t) => {
  const { majlis, api } = await boot(t, { plan: 'enterprise' })
  let many = 0
  let few = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(names, { maxLength: 250, size: 'max' }),
      fc.array(soughtNames, { maxLength: 100, size: 'max' }),
      async (given, sought) => {
        const company = majlis.seed.company({ plan: 'enterprise' })
        const things = seedMany(company, given)
        const world = { things, api: api.as((await company.key(everything)).text) }
        for (const q of sought) {
          if (things.countFound(q, 'task') > 26) many++
          else few++
          const searches = [1, 5, 25].map((each) => compare(world, { q, kinds: null, each }))
          await Promise.all(searches)
        }
      },
    ),
    { ...thorough, numRuns: 16 },
  )
  assert.ok(many > 50 && few > 50, `${many} searches found many, ${few} found few`)
})

function each(weight: number, act: Act, kinds: readonly NameKind[]) {
  return { weight, arbitrary: fc.constantFrom(...kinds).map((kind) => [act, kind] as const) }
}

function administer(t: TestContext, { folder, clock }: Sandbox): AdminContext {
  const db = openDatabase(join(folder ?? '', 'majlis.db'))
  t.after(() => db.close())
  return adminContext(db, clock)
}

/** One of every kind for each name. */
async function furnish(world: World, given: readonly string[]): Promise<void> {
  for (const [where, name] of given.entries()) {
    for (const kind of nameKinds) await create(world, kind, { name, where, which: where })
  }
}

/** Answers the names that it gave and took. */
async function take(world: World, step: Step): Promise<string[]> {
  const [act, kind] = step.what
  if (act === 'create') return [await create(world, kind, step)]
  if (act === 'restore') return restore(world, kind, step.which)
  const live = world.things.live(kind)
  const isArchived = ({ isOver }: Thing): boolean => kind === 'project' && isOver
  // Few stay archived for long, as nothing else can be done in them.
  const first = act === 'turn' ? live.filter(isArchived) : []
  const thing = pick(first, step.which) ?? pick(live, step.which)
  if (thing === undefined) return []
  const before = thing.name
  await changes[act](world, thing, step)
  return [before, thing.name]
}

type Choice = Pick<Step, 'name' | 'where' | 'which'>

async function create(
  { api, things }: World,
  kind: NameKind,
  { name: given, where, which }: Choice,
): Promise<string> {
  const within = pick(parentsOf(things, kind), where) ?? null
  if (within === null && kind !== 'project') return given
  const isUpload = kind === 'file' && which % 2 === 0
  const name = isUpload ? `${given}.txt` : given
  const answer = await api.post(...creation(kind, within, name, isUpload))
  if (isRefused(answer, within === null ? [] : [within])) return name
  if (kind === 'folder' && isTaken(things, within, name)) assertStatus(answer, 422)
  else {
    assertStatus(answer, 201)
    const { id, ref, slug = '' } = answer.data
    const number = typeof id === 'number' ? id : null
    things.add({ kind, id: ref ?? String(id), number, within, name, slug })
  }
  return name
}

function parentsOf(things: NamedThings, kind: NameKind): Thing[] {
  if (kind === 'project') return []
  if (kind === 'task') return things.live('task_list')
  const projects = things.live('project')
  return kind === 'folder' || kind === 'file' ? [...things.live('folder'), ...projects] : projects
}

function creation(
  kind: NameKind,
  within: Thing | null,
  name: string,
  isUpload: boolean,
): [path: string, body: object] {
  if (within === null) return ['/projects', { name }]
  const project = `/projects/${projectOf(within).id}`
  const folder = folderOf({ within })
  if (kind === 'task_list') return [`${project}/lists`, { title: name }]
  if (kind === 'task') return [`/lists/${within.id}/tasks`, { title: name }]
  if (kind === 'folder') return [`${project}/folders`, { name, parent_folder_id: folder }]
  if (kind === 'discussion') return [`${project}/discussions`, { title: name }]
  if (isUpload) return [`${project}/files`, { name, folder_id: folder, content: 'x' }]
  return [`${project}/links`, { name, folder_id: folder, url: 'https://x.example' }]
}

function restore({ things, administration }: World, kind: NameKind, which: number): string[] {
  const thing = pick(things.deleted(kind), which)
  if (thing === undefined) return []
  const again = kind === 'project' ? restoreProject : restoreDiscussion
  again(administration, thing.id)
  thing.isDeleted = false
  return [thing.name, ...things.inside(thing).map(({ name }) => name)]
}

type Change = (world: World, thing: Thing, step: Step) => Promise<void>

const changes: Record<Exclude<Act, 'create' | 'restore'>, Change> = {
  async rename({ api, things }, thing, { name }) {
    const isFolder = thing.kind === 'folder'
    const hasName = isFolder || thing.kind === 'project'
    const answer = await api.patch(addressOf(thing), hasName ? { name } : { title: name })
    if (isRefused(answer, [thing])) return
    if (isFolder && isTaken(things, thing.within, name, thing)) return assertStatus(answer, 422)
    assertStatus(answer, 200)
    thing.name = name
    thing.slug = answer.data.slug ?? ''
  },

  async move({ api, things }, thing, { where }) {
    const project = projectOf(thing)
    const folders = things.live('folder').filter((folder) => projectOf(folder) === project)
    const isFolder = thing.kind === 'folder'
    const to = pick(isFolder ? [project, ...folders] : things.live('task_list'), where) as Thing
    const answer = isFolder
      ? await api.patch(addressOf(thing), { parent_folder_id: folderOf({ within: to }) })
      : await api.post(`${addressOf(thing)}/move`, { task_list_id: to.id })
    if (isRefused(answer, [thing, to])) return
    const isRound = linesOf(to).includes(thing)
    if (isFolder && (isRound || isTaken(things, to, thing.name, thing))) {
      return assertStatus(answer, 422)
    }
    assertStatus(answer, 200)
    thing.within = to
    thing.slug = answer.data.slug ?? ''
  },

  /** Archives or completes it, or takes that back. */
  async turn({ api }, thing) {
    const isProject = thing.kind === 'project'
    const [on, off] = isProject ? ['archive', 'unarchive'] : ['complete', 'incomplete']
    const answer = await api.post(`${addressOf(thing)}/${thing.isOver ? off : on}`)
    if (!isProject && isRefused(answer, [thing])) return
    assertStatus(answer, 200)
    thing.isOver = !thing.isOver
  },

  async delete({ api, things }, thing) {
    const answer = await api.delete(addressOf(thing))
    if (isRefused(answer, [thing])) return
    assertStatus(answer, 200)
    if (thing.kind === 'project' || thing.kind === 'discussion') thing.isDeleted = true
    else things.remove(thing)
  },
}

/** Whether it had to be refused, as one of these is in an archived project. */
function isRefused(answer: Answer, things: readonly Thing[]): boolean {
  const isFrozen = things.some((thing) => projectOf(thing).isOver)
  if (isFrozen) assertStatus(answer, 403)
  return isFrozen
}

function isTaken(things: NamedThings, within: Thing | null, name: string, by?: Thing): boolean {
  const beside = within === null ? [] : things.inside(within)
  return beside.some((one) => one !== by && one.kind === 'folder' && one.name === name)
}

function addressOf(thing: Thing): string {
  const { kind, id } = thing
  if (kind === 'folder') return `/projects/${projectOf(thing).id}/folders/${id}`
  return `${{ project: '/projects', task_list: '/lists', task: '/tasks', file: '/files', discussion: '/discussions' }[kind]}/${id}`
}

/** Everything that anything may be found by. */
async function compareAll(world: Pick<World, 'api' | 'things'>): Promise<void> {
  const searches = vocabulary.flatMap((q) => [5, 25].map((each) => ({ q, kinds: null, each })))
  await Promise.all(searches.map((query) => compare(world, query)))
}

async function compare({ api, things }: Pick<World, 'api' | 'things'>, query: Query) {
  const { q, kinds, each } = query
  const types = (kinds ?? []).map((kind) => `&types=${kind}`).join('')
  const answer = await api.get(`/search?q=${encodeURIComponent(q)}&per_type=${each}${types}`)
  assertStatus(answer, 200)
  assert.deepEqual(answer.data, things.search(query), JSON.stringify(query))
}

function assertStatus({ status, text }: Answer, expected: number): void {
  assert.equal(status, expected, text)
}

function pick<T>(from: readonly T[], number: number): T | undefined {
  return from[number % from.length]
}
