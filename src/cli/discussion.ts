import { restoreDiscussion } from '../admin/recover.ts'
import { administer } from './administer.ts'
import { command } from './command.ts'

export const discussionCommands = [
  command({
    words: ['discussion', 'restore'],
    args: ['REF'],
    summary: 'Undo the deletion of a discussion',
    details:
      'REF is the mjl-… handle that the deletion answered. The replies return with the discussion.',
    flags: {},
    run: ({ data, args }) =>
      administer(data, (context) => {
        const { restored, waitsFor } = restoreDiscussion(context, args[0] ?? '')
        const { id, title } = restored.discussion
        const but =
          waitsFor === null
            ? ''
            : ` Its project is deleted too: it answers again after 'majlis project restore ${waitsFor}'.`
        return { json: restored, text: `Restored ${id} (${title}).${but}` }
      }),
  }),
]
