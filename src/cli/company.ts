import {
  companyDefaults,
  createCompany,
  listCompanies,
  setCompany,
  showCompany,
} from '../admin/companies.ts'
import { type CompanySettings, type Language, languages } from '../domain/account.ts'
import { UsageFailure } from '../domain/failure.ts'
import { planNames } from '../domain/plans.ts'
import { administer, beginOrAdminister } from './administer.ts'
import { command, positiveId } from './command.ts'
import {
  nameText,
  oneOf,
  onOff,
  optional,
  type Reader,
  required,
  timeZone,
  toggle,
  whole,
} from './flags.ts'
import { sheet, table } from './print.ts'

const settings = {
  'time-zone': optional('ZONE', 'an IANA time zone, such as Asia/Riyadh; days end there', timeZone),
  plan: optional('PLAN', `one of ${planNames.join(', ')}`, oneOf(planNames)),
  'rest-api': optional('on|off', 'whether the REST API exists for this company', onOff),
  'daily-limit': optional(
    'N',
    "calls a day in place of the plan's number; 'plan' goes back to it",
    dailyLimit,
  ),
  language: optional('ar|en', 'which language comes first in mails', oneOf(languages)),
  'read-only': toggle('freeze the subscription: reads go on, every write is refused'),
}

const columns = ['id', 'name', 'plan', 'time_zone', 'rest_api', 'daily_limit', 'read_only']

export const companyCommands = [
  command({
    words: ['company', 'create'],
    summary: 'Create a company',
    details:
      "Without flags: plan advanced, time zone UTC, REST API off. The API stays hidden until it is on ('--rest-api on').",
    flags: { name: required('NAME', "the company's name", nameText), ...settings },
    run: ({ data, flags }) =>
      beginOrAdminister(data, (context) => {
        const company = createCompany(context, {
          ...companyDefaults,
          ...sent(flags),
          name: flags.name,
        })
        return {
          json: company,
          text: `Created company ${company.id}.\n${sheet(company)}`,
        }
      }),
  }),

  command({
    words: ['company', 'set'],
    args: ['ID'],
    summary: "Change a company's settings",
    details: 'Only what is named changes. A running server follows within a second.',
    flags: {
      name: optional('NAME', "the company's name", nameText),
      ...settings,
      'no-read-only': toggle('end the freeze'),
    },
    run: ({ data, flags, args }) => {
      const id = positiveId(args[0])
      if (flags['read-only'] && flags['no-read-only']) {
        throw new UsageFailure('--read-only and --no-read-only contradict each other.')
      }
      const changes = sent(flags)
      if (flags.name !== undefined) changes.name = flags.name
      if (flags['no-read-only']) changes.readOnly = false
      return administer(data, (context) => {
        const company = setCompany(context, id, changes)
        return { json: company, text: sheet(company) }
      })
    },
  }),

  command({
    words: ['company', 'list'],
    summary: 'List the companies, newest first',
    flags: {},
    run: ({ data }) =>
      administer(data, (context) => {
        const companies = listCompanies(context)
        return { json: companies, text: table(companies, columns) }
      }),
  }),

  command({
    words: ['company', 'show'],
    args: ['ID'],
    summary: 'Show one company',
    flags: {},
    run: ({ data, args }) => {
      const id = positiveId(args[0])
      return administer(data, (context) => {
        const company = showCompany(context, id)
        return { json: company, text: sheet(company) }
      })
    },
  }),
]

function dailyLimit(value: string, flag: string): number | null {
  return (value === 'plan' ? null : whole(0)(value, flag)) satisfies ReturnType<
    Reader<number | null>
  >
}

interface SettingFlags {
  'time-zone': string | undefined
  plan: CompanySettings['plan'] | undefined
  'rest-api': boolean | undefined
  'daily-limit': number | null | undefined
  'read-only': boolean
  language: Language | undefined
}

function sent(flags: SettingFlags): Partial<CompanySettings> {
  const changes: Partial<CompanySettings> = {}
  if (flags['time-zone'] !== undefined) changes.timeZone = flags['time-zone']
  if (flags.plan !== undefined) changes.plan = flags.plan
  if (flags['rest-api'] !== undefined) changes.restApi = flags['rest-api']
  if (flags['daily-limit'] !== undefined) changes.dailyLimit = flags['daily-limit']
  if (flags.language !== undefined) changes.language = flags.language
  if (flags['read-only']) changes.readOnly = true
  return changes
}
