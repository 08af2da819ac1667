import { auditCommands } from './cli/audit.ts'
import { calendarCommands } from './cli/calendar.ts'
import { checkCommands } from './cli/check.ts'
import { type Answer, type Command, parseWords } from './cli/command.ts'
import { companyCommands } from './cli/company.ts'
import { discussionCommands } from './cli/discussion.ts'
import { fileCommands } from './cli/file.ts'
import { commandHelp, generalHelp } from './cli/help.ts'
import { keyCommands } from './cli/key.ts'
import { memberCommands } from './cli/member.ts'
import { notificationCommands } from './cli/notification.ts'
import { openapiCommands } from './cli/openapi.ts'
import { harmless, oneLine } from './cli/print.ts'
import { projectCommands } from './cli/project.ts'
import { searchCommands } from './cli/search.ts'
import { serveCommands } from './cli/serve.ts'
import { timelineCommands } from './cli/timeline.ts'
import { userCommands } from './cli/user.ts'
import { Failure, UsageFailure } from './domain/failure.ts'
import { CONTRACT_VERSION } from './openapi/document.ts'

const commands: readonly Command[] = [
  ...serveCommands,
  ...companyCommands,
  ...userCommands,
  ...keyCommands,
  ...memberCommands,
  ...projectCommands,
  ...discussionCommands,
  ...fileCommands,
  ...searchCommands,
  ...calendarCommands,
  ...auditCommands,
  ...timelineCommands,
  ...notificationCommands,
  ...checkCommands,
  ...openapiCommands,
]

/** The words of a command line to its exit code. */
export async function main(words: readonly string[]): Promise<number> {
  // What Majlis writes is for its own user alone, also in a folder that others may look into.
  process.umask(0o077)
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(
      `majlis: the answer cannot be written to standard output (${error.code}).\n`,
    )
    process.exit(1)
  })
  try {
    await obey(words)
    return Number(process.exitCode ?? 0)
  } catch (error) {
    process.stderr.write(`majlis: ${oneLine(sentenceOf(error))}\n`)
    return error instanceof UsageFailure ? 2 : 1
  }
}

async function obey(words: readonly string[]): Promise<void> {
  if (words.length === 0 || (isHelp(words[0]) && words.length === 1)) {
    return print(generalHelp(commands))
  }
  if (words[0] === 'help') return obey([...words.slice(1), '--help'])
  if (words[0] === '--version') return print(`${CONTRACT_VERSION}\n`)
  const command = findCommand(words)
  if (command === null) return print(groupHelp(words))
  const parsed = parseWords(command, words.slice(command.words.length), process.env)
  if (parsed.wantsHelp) return print(commandHelp(command))
  const answer = await command.run(parsed.invocation)
  if (answer) print(render(answer, parsed.invocation.wantsJson))
}

/** Null when the words are the beginning of several commands and ask for help. */
function findCommand(words: readonly string[]): Command | null {
  const found = commands.find((command) => command.words.every((word, i) => word === words[i]))
  if (found) return found
  const group = commands.filter((command) => command.words[0] === words[0])
  if (words[0]?.startsWith('-')) {
    throw new UsageFailure(`Flags come after the command: say 'majlis COMMAND ${words[0]} …'.`)
  }
  if (group.length === 0) {
    throw new UsageFailure(`There is no command '${words[0]}': 'majlis --help' lists them.`)
  }
  if (words.slice(1).some(isHelp)) return null
  const choices = group.map((command) => `'majlis ${command.words.join(' ')}'`)
  throw new UsageFailure(`'majlis ${words[0]}' needs one more word: ${choices.join(', ')}.`)
}

function groupHelp(words: readonly string[]): string {
  const group = commands.filter((command) => command.words[0] === words[0])
  return group.map(commandHelp).join('\n')
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h' || word === 'help'
}

function render(answer: Answer, wantsJson: boolean): string {
  return `${wantsJson ? JSON.stringify(answer.json) : harmless(answer.text)}\n`
}

function print(text: string): void {
  process.stdout.write(text)
}

/** One line, for people; the inside of an unexpected fault is shown only to those who ask for it. */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Failure || error instanceof UsageFailure) return message
  if (process.env.MAJLIS_DEBUG && error instanceof Error) return error.stack ?? message
  return `${message} (unexpected; MAJLIS_DEBUG=1 shows where)`
}
