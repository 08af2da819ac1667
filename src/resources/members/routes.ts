import * as v from 'valibot'
import { ok } from '../../http/reply.ts'
import { route, single } from '../context.ts'
import { Member, shapeMember } from './shape.ts'

export const memberRoutes = [
  route({
    name: 'listMembers',
    tag: 'Projects',
    summary: 'List the people a project can count on',
    description:
      "Assignable people by name, not paginated: a private project's active members, or every active person of the company when the project is public. Their e-mail addresses are what write endpoints take.",
    method: 'GET',
    paths: ['/projects/{project_id}/members'],
    operation: 'projects:read',
    query: {},
    reply: single(v.array(Member), 'The assignable people', [
      { name: 'Sara Ahmed', email: 'sara@nakheel.example', role: 'Owner' },
    ]),
    handle: ({ address }, { members }) =>
      ok(members.assignable(address.project_id).map(shapeMember)),
  }),
]
