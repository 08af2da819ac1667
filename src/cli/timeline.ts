import { listTimeline } from '../admin/timeline.ts'
import { administer } from './administer.ts'
import { command } from './command.ts'
import { listing } from './flags.ts'
import { table } from './print.ts'

export const timelineCommands = [
  command({
    words: ['timeline', 'list'],
    summary: "List what happened in a company's projects, newest first",
    flags: listing,
    run: ({ data, flags }) =>
      administer(data, (context) => {
        const entries = listTimeline(context, flags.company, flags.limit)
        const columns = ['at', 'kind', 'project', 'ref', 'actor', 'title']
        return { json: entries, text: table(entries, columns) }
      }),
  }),
]
