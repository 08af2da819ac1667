import type { Role } from '../domain/account.ts'
import { emailKey } from '../domain/email.ts'
import { Failure } from '../domain/failure.ts'
import { formatUtc } from '../domain/instant.ts'
import { findCompany } from './companies.ts'
import { type AdminContext, recordAdministration } from './context.ts'

export interface NewUser {
  companyId: number
  name: string
  email: string
  role: Role
  passwordDigest?: string | null
}

interface UserRow {
  id: number
  company_id: number
  name: string
  email: string
  role: Role
  deactivated_at: number | null
  created_at: number
}

export type ShownUser = ReturnType<typeof shape>

const columns = 'id, company_id, name, email, role, deactivated_at, created_at'

export function createUser(context: AdminContext, user: NewUser): ShownUser {
  return context.db
    .transaction(() => {
      findCompany(context, user.companyId)
      if (lookUp(context, user.companyId, user.email)) {
        throw new Failure(
          `${user.email} is already a person of company ${user.companyId}: 'majlis user list --company ${user.companyId}' shows them.`,
        )
      }
      context.db
        .prepare(`
          insert into users
            (company_id, name, email, email_key, role, password_digest, created_at)
          values
            (@companyId, @name, @email, @emailKey, @role, @passwordDigest, @now)`)
        .run({
          ...user,
          passwordDigest: user.passwordDigest ?? null,
          emailKey: emailKey(user.email),
          now: context.now(),
        })
      const made = shape(findUser(context, user.companyId, user.email))
      record(context, user.companyId, 'create', made.email)
      return made
    })
    .immediate()
}

export function listUsers(context: AdminContext, companyId: number): ShownUser[] {
  findCompany(context, companyId)
  return context.db
    .prepare<[number], UserRow>(
      `select ${columns} from users where company_id = ? order by id desc`,
    )
    .all(companyId)
    .map(shape)
}

/** The person keeps their name on what they made, and the keys they signed go on working. */
export function deactivateUser(context: AdminContext, companyId: number, email: string): ShownUser {
  return context.db
    .transaction(() => {
      const user = findUser(context, companyId, email)
      context.db
        .prepare('update users set deactivated_at = coalesce(deactivated_at, ?) where id = ?')
        .run(context.now(), user.id)
      record(context, companyId, 'deactivate', user.email)
      return shape(findUser(context, companyId, email))
    })
    .immediate()
}

export function findUser(context: AdminContext, companyId: number, email: string): UserRow {
  findCompany(context, companyId)
  const user = lookUp(context, companyId, email)
  if (user === undefined) {
    throw new Failure(
      `${email} is no person of company ${companyId}: 'majlis user list --company ${companyId}' names them.`,
    )
  }
  return user
}

/** Who signs a key or joins a project must be active. */
export function findActiveUser(context: AdminContext, companyId: number, email: string): UserRow {
  const user = findUser(context, companyId, email)
  if (user.deactivated_at !== null) {
    throw new Failure(`${email} has been deactivated: name an active person of the company.`)
  }
  return user
}

function lookUp({ db }: AdminContext, companyId: number, email: string): UserRow | undefined {
  return db
    .prepare<[number, string], UserRow>(
      `select ${columns} from users where company_id = ? and email_key = ?`,
    )
    .get(companyId, emailKey(email))
}

function record(context: AdminContext, companyId: number, verb: string, email: string): void {
  recordAdministration(context, {
    companyId,
    operation: `users:${verb}`,
    path: `user ${verb} ${email}`,
    keyId: null,
  })
}

function shape(row: UserRow) {
  return {
    id: row.id,
    company_id: row.company_id,
    name: row.name,
    email: row.email,
    role: row.role,
    active: row.deactivated_at === null,
    created_at: formatUtc(row.created_at),
  }
}
