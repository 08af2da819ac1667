import { companyDefaults, createCompany, setCompany } from '../admin/companies.ts'
import type { AdminContext } from '../admin/context.ts'
import { createKey, revokeKey, rotateKey } from '../admin/keys.ts'
import { addMember } from '../admin/members.ts'
import { restoreProject } from '../admin/recover.ts'
import { createUser, deactivateUser } from '../admin/users.ts'
import type { CompanySettings, Role } from '../domain/account.ts'
import { presets } from '../domain/operations.ts'
import { blankProject } from '../domain/project.ts'
import type { ProjectRow } from '../resources/projects/store.ts'
import { createStores, type Stores } from '../stores.ts'
import type { KeyOptions, SeededCompany, SeededKey, SeededProject, SeededUser } from './sandbox.ts'
import { calendarSeeder, eventSeeder } from './seed-events.ts'
import { fileSeeder, type SeedPorts } from './seed-files.ts'
import { workSeeder } from './seed-work.ts'

/** Makes records straight in the database. */
export function seeder(context: AdminContext, ports: SeedPorts) {
  const { refresh } = ports
  const stores = createStores(context.db, context.randomBelow)
  let companies = 0

  function company(settings: Partial<CompanySettings> = {}): SeededCompany {
    companies++
    const made = createCompany(context, {
      ...companyDefaults,
      name: `Company ${companies}`,
      restApi: true,
      ...settings,
    })
    return seededCompany(made.id, made.name, `company${companies}.example`)
  }

  function seededCompany(id: number, name: string, domain: string): SeededCompany {
    let people = 0
    const user = (person: { name?: string; email?: string; role?: Role } = {}): SeededUser => {
      people++
      const made = createUser(context, {
        companyId: id,
        name: person.name ?? `Person ${people}`,
        email: person.email ?? `person${people}@${domain}`,
        role: person.role ?? 'member',
      })
      return {
        id: made.id,
        name: made.name,
        email: made.email,
        deactivate() {
          deactivateUser(context, id, made.email)
          refresh()
        },
      }
    }
    const owner = user({ name: 'Owner', email: `owner@${domain}`, role: 'owner' })
    const project: SeededCompany['project'] = (fields = {}) => {
      const identity = { companyId: id, creatorId: owner.id, now: context.now() }
      const made = stores.projects.create({
        ...blankProject,
        name: 'Project',
        ...fields,
        ...identity,
      })
      return seededProject(context, stores, ports, owner.email, made)
    }
    return {
      id,
      name,
      owner,
      user,
      set(changes) {
        setCompany(context, id, changes)
        refresh()
      },
      project,
      list: (fields) => project().list(fields),
      task: (fields) => project().list().task(fields),
      discussion: (fields) => project().discussion(fields),
      event: eventSeeder(context, stores, ports, id, owner.email),
      connectCalendar: calendarSeeder(context, ports, id),
      key: (options = {}) => seededKey(context, refresh, id, owner.email, options),
    }
  }

  return { company }
}

async function seededKey(
  context: AdminContext,
  refresh: () => void,
  companyId: number,
  ownerEmail: string,
  options: KeyOptions,
): Promise<SeededKey> {
  const preset = presets[options.preset ?? 'write']
  const isExact = options.operations !== undefined || options.scope !== undefined
  const { id, key: text } = await createKey(context, {
    companyId,
    creatorEmail: options.creator ?? ownerEmail,
    name: options.name ?? 'Test key',
    grant: {
      scope: options.scope ?? preset.scope,
      operations: isExact ? (options.operations ?? []) : preset.operations,
      rights: [...(isExact ? [] : preset.rights), ...(options.rights ?? [])],
    },
    expiresAt: options.expiresAt === undefined ? null : new Date(options.expiresAt).getTime(),
  })
  return {
    id,
    text,
    revoke() {
      revokeKey(context, id)
      refresh()
    },
    async rotate(graceMinutes = 0) {
      const rotated = await rotateKey(context, id, graceMinutes)
      refresh()
      return rotated.key
    },
  }
}

function seededProject(
  context: AdminContext,
  stores: Stores,
  ports: SeedPorts,
  ownerEmail: string,
  row: ProjectRow,
): SeededProject {
  const { projects } = stores
  const work = workSeeder(context, stores, ownerEmail)
  const files = fileSeeder(context, stores, ports, ownerEmail)
  const again = (changed: ProjectRow): SeededProject =>
    seededProject(context, stores, ports, ownerEmail, changed)
  // What requests have changed since: who is told of a discussion depends on it.
  const fresh = (): ProjectRow => projects.byRef(row.company_id, row.ref) ?? row
  const project: SeededProject = {
    id: row.ref,
    slug: row.slug,
    name: row.name,
    rename(name) {
      const { description, start_date, end_date } = row
      const fields = { name, description, start_date, end_date, is_public: row.is_public === 1 }
      return again(projects.update(row, fields, context.now()))
    },
    archive: () => again(projects.archive(row, context.now())),
    unarchive: () => again(projects.unarchive(row, context.now())),
    remove() {
      projects.remove(row, context.now())
    },
    restore() {
      restoreProject(context, row.ref)
    },
    addMember(email) {
      addMember(context, { companyId: row.company_id, project: row.ref, email })
    },
    list: (seed) => work.list(project, fresh(), seed),
    discussion: (seed) => work.discussion(project, fresh(), seed),
    folder: (seed) => files.folder(project, fresh(), null, seed),
    link: (seed) => files.link(fresh(), null, seed),
    file: (seed) => files.file(fresh(), null, seed),
  }
  return project
}
