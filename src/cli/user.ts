import { text as readStream } from 'node:stream/consumers'
import { createUser, deactivateUser, listUsers } from '../admin/users.ts'
import { roles } from '../domain/account.ts'
import { UsageFailure } from '../domain/failure.ts'
import { administer } from './administer.ts'
import { command } from './command.ts'
import { defaulting, emailText, nameText, oneOf, required, toggle, whole } from './flags.ts'
import { sheet, table } from './print.ts'

const company = required('ID', "the company's number", whole(1))
const email = required('EMAIL', "the person's e-mail address", emailText)

export const userCommands = [
  command({
    words: ['user', 'create'],
    summary: 'Add a person to a company',
    flags: {
      company,
      name: required('NAME', "the person's name", nameText),
      email,
      role: defaulting('ROLE', 'member', `one of ${roles.join(', ')}`, oneOf(roles)),
      'password-stdin': toggle('read a password for the web console from standard input'),
    },
    run: async ({ data, flags }) => {
      const password = flags['password-stdin'] ? await readPassword() : null
      return administer(data, async (context) => {
        const user = createUser(context, {
          companyId: flags.company,
          name: flags.name,
          email: flags.email,
          role: flags.role,
          passwordDigest: password === null ? null : await context.digest(password),
        })
        return { json: user, text: `Created user ${user.id}.\n${sheet(user)}` }
      })
    },
  }),

  command({
    words: ['user', 'list'],
    summary: "List a company's people, newest first",
    flags: { company },
    run: ({ data, flags }) =>
      administer(data, (context) => {
        const users = listUsers(context, flags.company)
        return { json: users, text: table(users, ['id', 'name', 'email', 'role', 'active']) }
      }),
  }),

  command({
    words: ['user', 'deactivate'],
    summary: 'Let a person leave',
    details:
      'Their name stays on what they made, and the keys they signed go on working; nothing new can be assigned to them.',
    flags: { company, email },
    run: ({ data, flags }) =>
      administer(data, (context) => {
        const user = deactivateUser(context, flags.company, flags.email)
        return { json: user, text: `${user.name} <${user.email}> is deactivated.` }
      }),
  }),
]

async function readPassword(): Promise<string> {
  const password = (await readStream(process.stdin)).replace(/\r?\n$/, '')
  if ([...password].length < 8) {
    throw new UsageFailure('--password-stdin needs a password of at least 8 characters.')
  }
  return password
}
