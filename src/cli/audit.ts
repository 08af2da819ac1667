import { listAudit, outcomes } from '../admin/audit.ts'
import { administer } from './administer.ts'
import { command } from './command.ts'
import { listing, oneOf, optional } from './flags.ts'
import { table } from './print.ts'

export const auditCommands = [
  command({
    words: ['audit', 'list'],
    summary: 'List what was changed and what was denied, newest first',
    flags: {
      ...listing,
      outcome: optional('OUTCOME', 'only allowed, or only denied', oneOf(outcomes)),
    },
    run: ({ data, flags }) =>
      administer(data, (context) => {
        const entries = listAudit(context, {
          companyId: flags.company,
          outcome: flags.outcome ?? null,
          limit: flags.limit,
        })
        const columns = ['at', 'outcome', 'operation', 'method', 'path', 'status', 'ip', 'key_name']
        return { json: entries, text: table(entries, columns) }
      }),
  }),
]
