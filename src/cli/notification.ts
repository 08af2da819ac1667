import { listNotifications, retryNotification } from '../admin/notifications.ts'
import { administer } from './administer.ts'
import { command, positiveId } from './command.ts'
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
          'id',
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

  command({
    words: ['notification', 'retry'],
    args: ['ID'],
    summary: 'Send a notification now, also one that was given up',
    flags: {},
    run: ({ data, args }) => {
      const id = positiveId(args[0])
      return administer(data, (context) => {
        const answer = retryNotification(context, id)
        return {
          json: answer,
          text: `Notification ${id} waits to be sent by the server, if that has a mail server.`,
        }
      })
    },
  }),
]
