import { type Command, flagsOf, variableOf } from './command.ts'
import type { Flag } from './flags.ts'

export function generalHelp(commands: readonly Command[]): string {
  const lines = commands.map(
    ({ words, args, summary }) => [[...words, ...args].join(' '), summary] as const,
  )
  return `Majlis: a project-management server in one executable.

Usage: majlis COMMAND [flags]

Begin with 'majlis serve --demo': it fills an empty folder with a bilingual demo company and prints a key to try.
For a company of your own: company create, user create, key create, then serve.

Commands:
${columns(lines)}

Every command takes --data DIR (the folder with the database and the files; default ./data, or MAJLIS_DATA),
--json (one JSON value on standard output) and --help. 'majlis COMMAND --help' says more about one of them.
All of them work while a server runs on the same folder, and the server follows within a second.
`
}

export function commandHelp(command: Command): string {
  const flags = Object.entries(flagsOf(command)).map(
    ([name, flag]) => [flagUsage(name, flag), flagSummary(command, name, flag)] as const,
  )
  const details = command.details === '' ? '' : `\n${command.details}\n`
  return `Usage: majlis ${usage(command)} [flags]

${command.summary}.
${details}
Flags:
${columns(flags)}
`
}

function usage(command: Command): string {
  const required = Object.entries(command.flags)
    .filter(([, flag]) => flag.isRequired)
    .map(([name, flag]) => flagUsage(name, flag))
  return [...command.words, ...command.args, ...required].join(' ')
}

function flagUsage(name: string, flag: Flag<unknown>): string {
  return flag.placeholder === null ? `--${name}` : `--${name} ${flag.placeholder}`
}

function flagSummary(command: Command, name: string, flag: Flag<unknown>): string {
  const notes = []
  if (flag.isRequired) notes.push('required')
  if (flag.placeholder !== null && flag.fallback !== undefined) {
    notes.push(`default ${flag.fallback}`)
  }
  if (command.readsEnvironment && name in command.flags) notes.push(`or ${variableOf(name)}`)
  return notes.length === 0 ? flag.summary : `${flag.summary} (${notes.join('; ')})`
}

function columns(lines: readonly (readonly [string, string])[]): string {
  const left = Math.max(...lines.map(([first]) => first.length))
  const isWide = left > 44
  return lines
    .map(([first, second]) =>
      isWide ? `  ${first}\n      ${second}` : `  ${first.padEnd(left)}  ${second}`,
    )
    .join('\n')
}
