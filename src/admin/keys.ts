import { Failure } from '../domain/failure.ts'
import { formatUtc, formatUtcOrNull } from '../domain/instant.ts'
import { type MintedKey, mintKeyText } from '../domain/key-text.ts'
import {
  type Grant,
  inCatalogOrder,
  type Operation,
  operations,
  type Right,
  rights,
  type Scope,
  scopePermits,
} from '../domain/operations.ts'
import { findCompany } from './companies.ts'
import { type AdminContext, recordAdministration } from './context.ts'
import { findActiveUser } from './users.ts'

export interface NewKey {
  companyId: number
  creatorEmail: string
  name: string
  grant: Grant
  expiresAt: number | null
}

interface KeyRow {
  id: number
  company_id: number
  name: string
  last_four: string
  scope: Scope
  operations: string
  rights: string
  creator: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
  revoked_at: number | null
}

export type ShownKey = ReturnType<typeof shape>

const selectKeys = `
  select
    k.id, k.company_id, k.name, k.scope, k.operations, k.rights, u.email as creator,
    k.created_at, k.last_used_at, k.expires_at, k.revoked_at,
    (select s.last_four from api_key_secrets s
     where s.key_id = k.id order by s.id desc limit 1) as last_four
  from api_keys k
  join users u on u.id = k.creator_id`

/** The only time that the text of a key is shown. */
export async function createKey(
  context: AdminContext,
  key: NewKey,
): Promise<ShownKey & { key: string }> {
  const minted = mintKeyText(context.randomBelow)
  const digest = await context.digest(minted.text)
  return context.db
    .transaction(() => {
      const creator = findActiveUser(context, key.companyId, key.creatorEmail)
      const { lastInsertRowid } = context.db
        .prepare(`
          insert into api_keys
            (company_id, creator_id, name, scope, operations, rights, created_at, expires_at)
          values
            (@companyId, @creatorId, @name, @scope, @operations, @rights, @now, @expiresAt)`)
        .run({
          companyId: key.companyId,
          creatorId: creator.id,
          name: key.name,
          ...grantColumns(key.grant),
          now: context.now(),
          expiresAt: key.expiresAt,
        })
      const id = Number(lastInsertRowid)
      addSecret(context, id, minted, digest)
      record(context, key.companyId, id, 'create')
      return { ...shape(findKey(context, id)), key: minted.text }
    })
    .immediate()
}

export function listKeys(context: AdminContext, companyId: number): ShownKey[] {
  findCompany(context, companyId)
  return context.db
    .prepare<[number], KeyRow>(`${selectKeys} where k.company_id = ? order by k.id desc`)
    .all(companyId)
    .map(shape)
}

export function revokeKey(context: AdminContext, id: number): ShownKey {
  return context.db
    .transaction(() => {
      const key = findKey(context, id)
      if (key.revoked_at === null) {
        context.db.prepare('update api_keys set revoked_at = ? where id = ?').run(context.now(), id)
        record(context, key.company_id, id, 'revoke')
      }
      return shape(findKey(context, id))
    })
    .immediate()
}

/** A new text for the same key. The old one stops at once, or after `grace` minutes. */
export async function rotateKey(
  context: AdminContext,
  id: number,
  graceMinutes: number,
): Promise<{ id: number; key: string }> {
  const minted = mintKeyText(context.randomBelow)
  const digest = await context.digest(minted.text)
  return context.db
    .transaction(() => {
      const key = findKey(context, id)
      if (key.revoked_at !== null) {
        throw new Failure(`Key ${id} is revoked: make a new one with 'majlis key create'.`)
      }
      const end = context.now() + graceMinutes * 60_000
      context.db
        .prepare(`
          update api_key_secrets set expires_at = min(coalesce(expires_at, @end), @end)
          where key_id = @id`)
        .run({ end, id })
      addSecret(context, id, minted, digest)
      record(context, key.company_id, id, 'rotate')
      return { id, key: minted.text }
    })
    .immediate()
}

/** The operations that the scope does not permit; none when the grant is sound. */
export function beyondScope({ scope, operations }: Grant): Operation[] {
  return operations.filter((operation) => !scopePermits(scope, operation))
}

function findKey({ db }: AdminContext, id: number): KeyRow {
  const row = db.prepare<[number], KeyRow>(`${selectKeys} where k.id = ?`).get(id)
  if (row === undefined) {
    throw new Failure(`There is no key ${id}: 'majlis key list --company ID' names them.`)
  }
  return row
}

function addSecret(context: AdminContext, keyId: number, minted: MintedKey, digest: string): void {
  context.db
    .prepare(`
      insert into api_key_secrets (key_id, lookup_id, last_four, digest, created_at)
      values (?, ?, ?, ?, ?)`)
    .run(keyId, minted.lookupId, minted.lastFour, digest, context.now())
}

function grantColumns(grant: Grant) {
  if (beyondScope(grant).length > 0) {
    throw new Failure(`The ${grant.scope} scope does not permit ${beyondScope(grant).join(', ')}.`)
  }
  return {
    scope: grant.scope,
    operations: JSON.stringify(inCatalogOrder(operations, grant.operations)),
    rights: JSON.stringify(inCatalogOrder(rights, grant.rights)),
  }
}

function record(context: AdminContext, companyId: number, keyId: number, verb: string): void {
  recordAdministration(context, {
    companyId,
    operation: `keys:${verb}`,
    path: `key ${verb}`,
    keyId,
  })
}

function shape(row: KeyRow) {
  return {
    id: row.id,
    name: row.name,
    last_four: row.last_four,
    scope: row.scope,
    operations: JSON.parse(row.operations) as Operation[],
    rights: JSON.parse(row.rights) as Right[],
    creator: row.creator,
    created_at: formatUtc(row.created_at),
    last_used_at: formatUtcOrNull(row.last_used_at),
    expires_at: formatUtcOrNull(row.expires_at),
    revoked_at: formatUtcOrNull(row.revoked_at),
  }
}
