import type { Db } from '../../db/database.ts'
import type { ApiKey } from '../../domain/account.ts'
import type { Operation, Right, Scope } from '../../domain/operations.ts'
import { dailyAllowance, type PlanName, plans } from '../../domain/plans.ts'

/** One text that opens a key: its digest, and the key as it stands now. */
export interface Secret {
  readonly id: number
  readonly digest: string
  readonly revoked: boolean
  /** The earlier end of the key and of this text of it. */
  readonly endsAt: number | null
  readonly key: ApiKey
}

interface SecretRow {
  secret_id: number
  digest: string
  ends_at: number | null
  revoked_at: number | null
  key_id: number
  key_name: string
  scope: Scope
  operations: string
  rights: string
  creator_id: number
  creator_name: string
  creator_email: string
  company_id: number
  company_name: string
  time_zone: string
  plan: PlanName
  rest_api: number
  daily_limit: number | null
  read_only: number
}

export function accountStore(db: Db) {
  const select = `
    select
      s.id as secret_id, s.digest,
      min(coalesce(s.expires_at, k.expires_at), coalesce(k.expires_at, s.expires_at)) as ends_at,
      k.revoked_at, k.id as key_id, k.name as key_name, k.scope, k.operations, k.rights,
      u.id as creator_id, u.name as creator_name, u.email as creator_email,
      c.id as company_id, c.name as company_name, c.time_zone, c.plan, c.rest_api, c.daily_limit,
      c.read_only
    from api_key_secrets s
    join api_keys k on k.id = s.key_id
    join users u on u.id = k.creator_id
    join companies c on c.id = k.company_id`
  const byLookupId = db.prepare<[string], SecretRow>(`${select} where s.lookup_id = ?`)
  const byId = db.prepare<[number], SecretRow>(`${select} where s.id = ?`)
  const used = db
    .prepare<[number, string], number>(
      'select used from quota_usage where company_id = ? and day = ?',
    )
    .pluck()
  const saveUsed = db.prepare<[number, string, number]>(`
    insert into quota_usage (company_id, day, used) values (?, ?, ?)
    on conflict (company_id, day) do update set used = excluded.used`)
  const dropOldDays = db.prepare<[number, string]>(`
    delete from quota_usage where company_id = ? and day < date(?, '-7 days')`)
  const touchKey = db.prepare<[number, number]>('update api_keys set last_used_at = ? where id = ?')

  return {
    secretByLookupId: (lookupId: string) => asSecret(byLookupId.get(lookupId)),
    secretById: (id: number) => asSecret(byId.get(id)),
    readUsed: (companyId: number, day: string) => used.get(companyId, day) ?? 0,
    saveUsed(companyId: number, day: string, calls: number): void {
      saveUsed.run(companyId, day, calls)
      dropOldDays.run(companyId, day)
    },
    touchKey(keyId: number, at: number): void {
      touchKey.run(at, keyId)
    },
  }
}

function asSecret(row: SecretRow | undefined): Secret | undefined {
  if (row === undefined) return undefined
  const plan = plans[row.plan]
  return {
    id: row.secret_id,
    digest: row.digest,
    revoked: row.revoked_at !== null,
    endsAt: row.ends_at,
    key: {
      id: row.key_id,
      name: row.key_name,
      scope: row.scope,
      operations: new Set(JSON.parse(row.operations) as Operation[]),
      rights: new Set(JSON.parse(row.rights) as Right[]),
      creator: { id: row.creator_id, name: row.creator_name, email: row.creator_email },
      company: {
        id: row.company_id,
        name: row.company_name,
        timeZone: row.time_zone,
        plan,
        restApi: row.rest_api === 1,
        allowance: dailyAllowance(plan, row.daily_limit),
        readOnly: row.read_only === 1,
      },
    },
  }
}
