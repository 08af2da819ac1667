import { parseArgs } from 'node:util'
import { configDefaults } from '../config.ts'
import { UsageFailure } from '../domain/failure.ts'
import { defaulting, type Flags, type FlagValues, pathText, toggle } from './flags.ts'

/** What a command answers: a value for programs, and a text for people. */
export interface Answer {
  readonly json: unknown
  readonly text: string
}

interface Invocation<F extends Flags> {
  readonly flags: FlagValues<F>
  readonly args: readonly string[]
  readonly data: string
  readonly wantsJson: boolean
}

export interface Command {
  readonly words: readonly string[]
  /** Names of the words that follow, such as ID. */
  readonly args: readonly string[]
  readonly summary: string
  readonly details: string
  readonly flags: Flags
  /** Whether every flag also has a MAJLIS_… variable. */
  readonly readsEnvironment: boolean
  run(invocation: Invocation<never>): Promise<Answer | null> | Answer | null
}

interface Definition<F extends Flags> {
  words: readonly string[]
  args?: readonly string[]
  summary: string
  details?: string
  flags: F
  readsEnvironment?: boolean
  run(invocation: Invocation<F>): Promise<Answer | null> | Answer | null
}

export function command<const F extends Flags>(definition: Definition<F>): Command {
  return {
    args: [],
    details: '',
    readsEnvironment: false,
    ...definition,
  } as unknown as Command
}

const dataFlag = defaulting(
  'DIR',
  configDefaults.data,
  'the folder with the database and the files (or MAJLIS_DATA)',
  pathText,
)
const jsonFlag = toggle('print one JSON value on standard output and nothing else there')
const helpFlag = toggle('print this help')

/** The flags that a command understands, its own first. */
export function flagsOf(command: Command): Flags {
  return {
    ...command.flags,
    data: dataFlag,
    json: jsonFlag,
    help: helpFlag,
  }
}

export interface ParsedWords {
  readonly invocation: Invocation<never>
  readonly wantsHelp: boolean
}

export function parseWords(
  command: Command,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): ParsedWords {
  const flags = flagsOf(command)
  const { values, positionals } = split(command, flags, words)
  if (values.help === true) {
    return { invocation: {} as Invocation<never>, wantsHelp: true }
  }
  refuseWrongArgs(command, positionals)
  const read = readFlags(command, flags, values, environment)
  return {
    invocation: {
      flags: read as never,
      args: positionals,
      data: String(read.data ?? ''),
      wantsJson: read.json === true,
    },
    wantsHelp: false,
  }
}

type SentValues = Record<string, string | boolean | undefined>

function split(command: Command, flags: Flags, words: readonly string[]) {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {}
  for (const [name, flag] of Object.entries(flags)) {
    options[name] = { type: flag.placeholder === null ? 'boolean' : 'string' }
  }
  try {
    const parsed = parseArgs({
      args: words.map((word) => (word === '-h' ? '--help' : word)),
      options,
      allowPositionals: true,
      strict: true,
    })
    return { values: parsed.values as SentValues, positionals: parsed.positionals }
  } catch (error) {
    throw new UsageFailure(
      `${firstSentence((error as Error).message)} See 'majlis ${command.words.join(' ')} --help'.`,
    )
  }
}

function readFlags(
  command: Command,
  flags: Flags,
  values: SentValues,
  environment: NodeJS.ProcessEnv,
): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(flags)) {
    const sent = values[name]
    const variable = variableOf(name)
    // An empty variable is an unset one: files for containers often name them all.
    const inherited =
      (command.readsEnvironment || name === 'data') && environment[variable] !== ''
        ? environment[variable]
        : undefined
    if (typeof sent === 'boolean') read[name] = sent
    else if (sent !== undefined) read[name] = flag.read(sent, `--${name}`)
    else if (inherited !== undefined && name !== 'help' && name !== 'json') {
      read[name] = flag.read(inherited, variable)
    } else if (flag.isRequired) {
      throw new UsageFailure(
        `--${name} ${flag.placeholder} is missing. See 'majlis ${command.words.join(' ')} --help'.`,
      )
    } else read[name] = flag.fallback
  }
  return read
}

export function variableOf(flag: string): string {
  return `MAJLIS_${flag.toUpperCase().replaceAll('-', '_')}`
}

function refuseWrongArgs(command: Command, positionals: readonly string[]): void {
  if (positionals.length === command.args.length) return
  const wanted = ['majlis', ...command.words, ...command.args].join(' ')
  const missing = command.args[positionals.length]
  throw new UsageFailure(
    missing === undefined
      ? `'${positionals[command.args.length]}' is one word too many: say '${wanted}'.`
      : `${missing} is missing: say '${wanted}'.`,
  )
}

function firstSentence(message: string): string {
  const sentence = message.split(/\.?\n|\. /)[0] ?? message
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

export function positiveId(word: string | undefined, name = 'ID'): number {
  if (word === undefined || !/^[1-9]\d{0,15}$/.test(word)) {
    throw new UsageFailure(`${name} must be a number, such as 1; '${word ?? ''}' is not.`)
  }
  return Number(word)
}
