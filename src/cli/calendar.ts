import { text as readStream } from 'node:stream/consumers'
import { connectCalendar, disconnectCalendar, listCalendars } from '../admin/calendars.ts'
import { caldavClient, readCalendarUrl } from '../caldav/client.ts'
import { dataFolder } from '../db/data-folder.ts'
import { UsageFailure } from '../domain/failure.ts'
import { fileSeal } from '../secrets/seal.ts'
import { administer } from './administer.ts'
import { command, positiveId } from './command.ts'
import { emailText, nameText, optional, required, toggle, whole } from './flags.ts'
import { sheet, table } from './print.ts'

const company = required('ID', "the company's number", whole(1))

export const calendarCommands = [
  command({
    words: ['calendar', 'connect'],
    summary: 'Connect a calendar over CalDAV',
    details:
      'One for the company, which gets every event, and one a person, which gets theirs. Connecting again replaces it. The\ncalendar is asked whether it takes the password before anything is kept; the password is kept encrypted, with a key\nthat lies in secret.key beside the database.',
    flags: {
      company,
      url: required('URL', 'the address of the calendar (its collection)', calendarUrl),
      username: required('NAME', 'who to log in as', nameText),
      'password-stdin': toggle('read the password from standard input; needed'),
      email: optional(
        'EMAIL',
        "the person whose calendar it is; without it, the company's",
        emailText,
      ),
    },
    run: async ({ data, flags }) => {
      if (!flags['password-stdin']) {
        throw new UsageFailure('The password comes from standard input: add --password-stdin.')
      }
      const { url, username } = flags
      const password = (await readStream(process.stdin)).replace(/\r?\n$/, '')
      return administer(data, async (context) => {
        await caldavClient({ url, username, password }).probe()
        const wanted = { companyId: flags.company, email: flags.email ?? null }
        const seal = fileSeal(dataFolder(data).secretKey)
        const connected = connectCalendar(context, { ...wanted, url, username, password }, seal)
        return { json: connected, text: `Connected calendar ${connected.id}.\n${sheet(connected)}` }
      })
    },
  }),

  command({
    words: ['calendar', 'list'],
    summary: "List a company's connected calendars, newest first",
    flags: { company },
    run: ({ data, flags }) =>
      administer(data, (context) => {
        const calendars = listCalendars(context, flags.company)
        const columns = ['id', 'owner', 'url', 'username', 'waiting', 'last_error']
        return { json: calendars, text: table(calendars, columns) }
      }),
  }),

  command({
    words: ['calendar', 'disconnect'],
    args: ['ID'],
    summary: 'Disconnect a calendar',
    details: 'What lies in it stays there.',
    flags: {},
    run: ({ data, args }) => {
      const id = positiveId(args[0])
      return administer(data, (context) => {
        const answer = disconnectCalendar(context, id)
        return { json: answer, text: `Disconnected calendar ${id} (${answer.calendar.url}).` }
      })
    },
  }),
]

function calendarUrl(value: string, flag: string): string {
  const url = readCalendarUrl(value)
  if (url !== null) return url
  throw new UsageFailure(
    `${flag} must be the http or https address of a calendar, without a password in it; '${value}' is not.`,
  )
}
