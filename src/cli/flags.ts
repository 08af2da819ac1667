import { UsageFailure } from '../domain/failure.ts'
import { isTimeZone } from '../domain/instant.ts'
import { exceeds, isBlank, NAME_LIMIT, trimWhiteSpace } from '../domain/text.ts'

/** Turns the text behind a flag into a value, or says what the flag wants. */
export type Reader<T> = (text: string, flag: string) => T

export interface Flag<T> {
  /** What stands for the value in the help; null for a flag that is only there or not. */
  readonly placeholder: string | null
  readonly summary: string
  readonly isRequired: boolean
  readonly fallback: T | undefined
  readonly read: Reader<T>
}

export type Flags = Readonly<Record<string, Flag<unknown>>>
export type FlagValues<F extends Flags> = { [K in keyof F]: F[K] extends Flag<infer T> ? T : never }

export function required<T>(placeholder: string, summary: string, read: Reader<T>): Flag<T> {
  return { placeholder, summary, isRequired: true, fallback: undefined, read }
}

export function optional<T>(
  placeholder: string,
  summary: string,
  read: Reader<T>,
): Flag<T | undefined> {
  return { placeholder, summary, isRequired: false, fallback: undefined, read }
}

export function defaulting<T>(
  placeholder: string,
  fallback: T,
  summary: string,
  read: Reader<T>,
): Flag<T> {
  return { placeholder, summary, isRequired: false, fallback, read }
}

export function toggle(summary: string): Flag<boolean> {
  return { placeholder: null, summary, isRequired: false, fallback: false, read: readOnOff }
}

export const text: Reader<string> = (value) => value

export const pathText: Reader<string> = (value, flag) => {
  if (value === '' || value.includes('\0')) throw new UsageFailure(`${flag} must name a folder.`)
  return value
}

export const nameText: Reader<string> = (value, flag) => {
  const name = trimWhiteSpace(value.toWellFormed())
  if (name === '') throw new UsageFailure(`${flag} can't be blank.`)
  if (name.includes('\0')) throw new UsageFailure(`${flag} can't contain the NUL character.`)
  if (exceeds(name, NAME_LIMIT)) {
    throw new UsageFailure(`${flag} is longer than ${NAME_LIMIT} characters.`)
  }
  return name
}

export const emailText: Reader<string> = (value, flag) => {
  if (!/^[^\s@]+@[^\s@]+$/.test(value) || value.length > 254) {
    throw new UsageFailure(`${flag} must be an e-mail address, such as sara@company.example.`)
  }
  return value
}

export const timeZone: Reader<string> = (value, flag) => {
  if (!isTimeZone(value)) {
    throw new UsageFailure(
      `${flag} ${value} is no known time zone: give an IANA name, such as Asia/Riyadh or UTC.`,
    )
  }
  return value
}

export function oneOf<T extends string>(choices: readonly T[]): Reader<T> {
  return (value, flag) => {
    const choice = choices.find((candidate) => candidate === value)
    if (choice === undefined) {
      throw new UsageFailure(`${flag} must be one of ${choices.join(', ')}; '${value}' is not.`)
    }
    return choice
  }
}

/** A comma-separated list; the empty text is the empty list. */
export function listOf<T extends string>(choices: readonly T[]): Reader<T[]> {
  const readOne = oneOf(choices)
  return (value, flag) =>
    isBlank(value) ? [] : value.split(',').map((item) => readOne(item.trim(), flag))
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> {
  return (value, flag) => {
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= least && number <= most)) {
      const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
      throw new UsageFailure(`${flag} must be a whole number ${range}; '${value}' is not.`)
    }
    return number
  }
}

export const onOff: Reader<boolean> = (value, flag) => oneOf(['on', 'off'])(value, flag) === 'on'

/** For variables of the environment, where a toggle has to say something. */
function readOnOff(value: string, flag: string): boolean {
  return ['true', '1', 'on'].includes(oneOf(['true', '1', 'on', 'false', '0', 'off'])(value, flag))
}

/** For the commands that list what has piled up, newest first. */
export const listing = {
  company: required('ID', "the company's number", whole(1)),
  limit: defaulting('N', 1000, 'how many at the most', whole(1)),
}
