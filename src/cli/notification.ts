import { listNotifications } from '../admin/notifications.ts'
import { administer } from './administer.ts'
import { command } from './command.ts'
import { listing } from './flags.ts'
import { table } from './print.ts'

export const notificationCommands = [
  command({
    words: ['notification', 'list'],
    summary: 'List who is to be told of what, newest first',
    flags: listing,
    run: ({ data, flags }) =>
      administer(data, (context) => {
        const rows = listNotifications(context, flags.company, flags.limit)
        const columns = [
          'at',
          'kind',
          'recipient',
          'subject_ref',
          'state',
          'attempts',
          'last_error',
        ]
        return { json: rows, text: table(rows, columns) }
      }),
  }),
]
