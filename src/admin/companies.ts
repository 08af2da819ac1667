import type { CompanySettings, Language } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'
import { formatUtc } from '../domain/instant.ts'
import type { PlanName } from '../domain/plans.ts'
import { type AdminContext, recordAdministration } from './context.ts'

export const companyDefaults: Omit<CompanySettings, 'name'> = {
  timeZone: 'UTC',
  plan: 'advanced',
  restApi: false,
  dailyLimit: null,
  readOnly: false,
  language: 'ar',
}

interface CompanyRow {
  id: number
  name: string
  time_zone: string
  plan: PlanName
  rest_api: number
  daily_limit: number | null
  read_only: number
  language: Language
  created_at: number
}

export type ShownCompany = ReturnType<typeof shape>

const columns = 'id, name, time_zone, plan, rest_api, daily_limit, read_only, language, created_at'

export function createCompany(
  context: AdminContext,
  settings: CompanySettings & { isDemo?: boolean },
): ShownCompany {
  const now = context.now()
  const { lastInsertRowid } = context.db
    .prepare(`
      insert into companies
        (name, time_zone, plan, rest_api, daily_limit, read_only, language, is_demo, created_at,
         updated_at)
      values
        (@name, @timeZone, @plan, @restApi, @dailyLimit, @readOnly, @language, @isDemo, @now,
         @now)`)
    .run({ ...bindings(settings), isDemo: Number(settings.isDemo ?? false), now })
  return showCompany(context, Number(lastInsertRowid))
}

export function setCompany(
  context: AdminContext,
  id: number,
  changes: Partial<CompanySettings>,
): ShownCompany {
  return context.db
    .transaction(() => {
      const settings = { ...settingsOf(findCompany(context, id)), ...changes }
      context.db
        .prepare(`
          update companies set
            name = @name, time_zone = @timeZone, plan = @plan, rest_api = @restApi,
            daily_limit = @dailyLimit, read_only = @readOnly, language = @language,
            updated_at = @now
          where id = @id`)
        .run({ ...bindings(settings), id, now: context.now() })
      recordAdministration(context, {
        companyId: id,
        operation: 'companies:set',
        path: `company set ${Object.entries(changes)
          .map(([name, value]) => `${name}=${value}`)
          .join(' ')}`,
        keyId: null,
      })
      return showCompany(context, id)
    })
    .immediate()
}

export function listCompanies({ db }: AdminContext): ShownCompany[] {
  return db
    .prepare<[], CompanyRow>(`select ${columns} from companies order by id desc`)
    .all()
    .map(shape)
}

export function showCompany(context: AdminContext, id: number): ShownCompany {
  return shape(findCompany(context, id))
}

export function findCompany({ db }: AdminContext, id: number): CompanyRow {
  const row = db
    .prepare<[number], CompanyRow>(`select ${columns} from companies where id = ?`)
    .get(id)
  if (row === undefined) {
    throw new Failure(`There is no company ${id}: 'majlis company list' names them.`)
  }
  return row
}

function settingsOf(row: CompanyRow): CompanySettings {
  return {
    name: row.name,
    timeZone: row.time_zone,
    plan: row.plan,
    restApi: row.rest_api === 1,
    dailyLimit: row.daily_limit,
    readOnly: row.read_only === 1,
    language: row.language,
  }
}

function bindings({ restApi, readOnly, ...settings }: CompanySettings) {
  return { ...settings, restApi: Number(restApi), readOnly: Number(readOnly) }
}

function shape(row: CompanyRow) {
  return {
    id: row.id,
    name: row.name,
    time_zone: row.time_zone,
    plan: row.plan,
    rest_api: row.rest_api === 1,
    daily_limit: row.daily_limit,
    read_only: row.read_only === 1,
    language: row.language,
    created_at: formatUtc(row.created_at),
  }
}
