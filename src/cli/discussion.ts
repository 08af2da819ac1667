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
        const restored = restoreDiscussion(context, args[0] ?? '')
        return {
          json: restored,
          text: `Restored ${restored.discussion.id} (${restored.discussion.title}).`,
        }
      }),
  }),
]
