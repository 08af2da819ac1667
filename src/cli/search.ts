import { reindexNames } from '../admin/reindex.ts'
import { administer } from './administer.ts'
import { command } from './command.ts'

export const searchCommands = [
  command({
    words: ['search', 'reindex'],
    summary: 'Build the search index anew from the names',
    details:
      'The index is kept with every change, and a server builds it anew by itself when a new version reads names in another\nway. This is for the case that `majlis check` finds it wrong. It may run beside the server: the index that is there\ngoes on answering until the new one is complete. Progress goes to standard error.',
    flags: {},
    run: ({ data }) =>
      administer(data, async (context) => {
        const answer = await reindexNames(context, (phase, percent) => {
          const what = phase === 'reading' ? 'reading the names' : 'clearing the old index away'
          process.stderr.write(`${what}: ${percent}%\n`)
        })
        return {
          json: answer,
          text: `The search index has been built anew: ${answer.names} names.`,
        }
      }),
  }),
]
