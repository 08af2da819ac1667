import { addMember, removeMember } from '../admin/members.ts'
import { administer } from './administer.ts'
import { command } from './command.ts'
import { emailText, nameText, required, whole } from './flags.ts'

const flags = {
  company: required('ID', "the company's number", whole(1)),
  project: required('HANDLE', "the project's ref (prj-…) or slug", nameText),
  email: required('EMAIL', "the person's e-mail address", emailText),
}

export const memberCommands = [
  command({
    words: ['member', 'add'],
    summary: 'Make a person a member of a project',
    flags,
    run: ({ data, flags }) =>
      administer(data, (context) => {
        const membership = addMember(context, membershipOf(flags))
        return {
          json: membership,
          text: `${membership.email} is a member of ${membership.project}.`,
        }
      }),
  }),

  command({
    words: ['member', 'remove'],
    summary: 'End a membership',
    flags,
    run: ({ data, flags }) =>
      administer(data, (context) => {
        const membership = removeMember(context, membershipOf(flags))
        return {
          json: membership,
          text: `${membership.email} is no longer a member of ${membership.project}.`,
        }
      }),
  }),
]

function membershipOf(flags: { company: number; project: string; email: string }) {
  return { companyId: flags.company, project: flags.project, email: flags.email }
}
