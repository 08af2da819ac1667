import { ok } from '../../http/reply.ts'
import { route, single } from '../context.ts'
import { Account, shapeAccount } from './shape.ts'

export const accountRoutes = [
  route({
    name: 'getAccount',
    tag: 'Account',
    summary: 'Show the key that is calling',
    description:
      'Names the key, what it may call, and its company. `created_by` is a signature, not the identity the call runs as.',
    method: 'GET',
    paths: ['/me'],
    operation: 'account:read',
    query: {},
    reply: single(Account, 'The key, its company and its signature', {
      key: { name: 'CI', access: 'read', operations: ['account:read', 'projects:read'] },
      company: { name: 'شركة النخيل' },
      created_by: { name: 'Sara Ahmed', email: 'sara@nakheel.example' },
    }),
    handle: (call) => ok(shapeAccount(call.caller)),
  }),
]
