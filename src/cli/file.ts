import { rescanFile } from '../admin/rescan.ts'
import { administer } from './administer.ts'
import { command } from './command.ts'

export const fileCommands = [
  command({
    words: ['file', 'rescan'],
    args: ['REF'],
    summary: 'Scan an upload for viruses again',
    details:
      'REF is the fil-… handle of the file. It is pending, and cannot be downloaded, until the server has scanned it with\nthe scanner it was started with; one that was wrongly called infected leaves quarantine when it is found clean.',
    flags: {},
    run: ({ data, args }) =>
      administer(data, (context) => {
        const answer = rescanFile(context, args[0] ?? '')
        const { ref, name } = answer.file
        return { json: answer, text: `${ref} (${name}) waits for its scan by the server.` }
      }),
  }),
]
