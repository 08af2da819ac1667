import { companyDefaults, createCompany } from '../src/admin/companies.ts'
import { type AdminContext, adminContext } from '../src/admin/context.ts'
import { createKey } from '../src/admin/keys.ts'
import { createUser } from '../src/admin/users.ts'
import { systemClock } from '../src/clock.ts'
import { dataFolder, prepareFolder } from '../src/db/data-folder.ts'
import type { Db } from '../src/db/database.ts'
import { openDatabase } from '../src/db/open.ts'
import { presets } from '../src/domain/operations.ts'
import { fill, type People, type Size, tasksIn } from './fill.ts'

export interface Seeded {
  readonly folder: string
  readonly companyId: number
  readonly creatorId: number
  readonly key: string
  readonly tasks: number
  /** Of these and the following, as many as SAMPLE, from all over the table, in no order. */
  readonly projectRefs: readonly string[]
  readonly listRefs: readonly string[]
  readonly taskRefs: readonly string[]
}

const SAMPLE = 5_000
const PEOPLE = 10

/** A company of some size in a folder of its own, and a key to it. */
export async function seed(folder: string, size: Size): Promise<Seeded> {
  prepareFolder(dataFolder(folder))
  const db = openDatabase(dataFolder(folder).database)
  try {
    // What fails here is begun anew: safety is for the servers that open the file afterwards.
    db.pragma('synchronous = off')
    db.pragma('cache_size = -1000000')
    const context = adminContext(db, systemClock)
    const { people, key } = await createPeople(context)
    fill(db, people, size, context.now())
    const { companyId, creatorId } = people
    return { folder, companyId, creatorId, key, tasks: tasksIn(size), ...samples(db) }
  } finally {
    // The servers under test shall not find the seed in the write-ahead log.
    db.pragma('wal_checkpoint(truncate)')
    db.close()
  }
}

async function createPeople(context: AdminContext): Promise<{ people: People; key: string }> {
  const { id: companyId } = createCompany(context, {
    ...companyDefaults,
    name: 'مكتب القياس',
    timeZone: 'Asia/Riyadh',
    plan: 'enterprise',
    restApi: true,
  })
  const owner = createUser(context, {
    companyId,
    name: 'سارة',
    email: 'sara@bench.example',
    role: 'owner',
  })
  const { key } = await createKey(context, {
    companyId,
    creatorEmail: owner.email,
    name: 'Benchmark',
    grant: presets.write,
    expiresAt: null,
  })
  const memberIds = [owner.id, ...createMembers(context, companyId)]
  return { people: { companyId, creatorId: owner.id, memberIds }, key }
}

function createMembers(context: AdminContext, companyId: number): number[] {
  return Array.from({ length: PEOPLE - 1 }, (_, i) => {
    const email = `person-${i + 1}@bench.example`
    return createUser(context, { companyId, name: `Person ${i + 1}`, email, role: 'member' }).id
  })
}

function samples(db: Db): Pick<Seeded, 'projectRefs' | 'listRefs' | 'taskRefs'> {
  const sample = (table: string): string[] =>
    db
      .prepare<[number], string>(`select ref from ${table} order by random() limit ?`)
      .pluck()
      .all(SAMPLE)
  return {
    projectRefs: sample('projects'),
    listRefs: sample('task_lists'),
    taskRefs: sample('tasks'),
  }
}
