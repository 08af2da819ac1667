import { checkEverything } from '../admin/check.ts'
import { dataFolder } from '../db/data-folder.ts'
import { administer } from './administer.ts'
import { command } from './command.ts'

export const checkCommands = [
  command({
    words: ['check'],
    summary: 'Look at everything for damage, and change nothing',
    details: 'Ends with 0 when all is well, and with 1 when something is not.',
    flags: {},
    run: ({ data }) =>
      administer(data, async ({ db }) => {
        const report = await checkEverything(db, dataFolder(data))
        if (!report.ok) process.exitCode = 1
        const lines = report.checks.map(
          ({ check, ok, detail }) => `${ok ? 'ok    ' : 'WRONG '} ${check}: ${detail}`,
        )
        lines.push(report.ok ? 'All is well.' : 'Something is wrong: see above, and keep a backup.')
        return { json: report, text: lines.join('\n') }
      }),
  }),
]
