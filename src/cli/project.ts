import { restoreProject } from '../admin/recover.ts'
import { administer } from './administer.ts'
import { command } from './command.ts'

export const projectCommands = [
  command({
    words: ['project', 'restore'],
    args: ['REF'],
    summary: 'Undo the deletion of a project',
    details:
      'REF is the prj-… handle that the deletion answered. Everything below the project returns with it.',
    flags: {},
    run: ({ data, args }) =>
      administer(data, (context) => {
        const restored = restoreProject(context, args[0] ?? '')
        return {
          json: restored,
          text: `Restored ${restored.project.id} (${restored.project.name}).`,
        }
      }),
  }),
]
