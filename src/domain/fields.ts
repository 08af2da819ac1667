import * as v from 'valibot'
import { readDuration } from './duration.ts'
import { isCalendarDay } from './instant.ts'
import { isWebAddress } from './link-source.ts'
import { exceeds, isBlank, LONG_TEXT_LIMIT, NAME_LIMIT, trimWhiteSpace } from './text.ts'

/** What a check means in JSON Schema; the OpenAPI document reads it, the parser ignores it. */
function documented<const M extends Record<string, unknown>>(jsonSchema: M) {
  return v.metadata<string, M>(jsonSchema)
}

/** contract: Values. A name or title: trimmed, 1 to 255 code points. Required, so neither null nor absent. */
export function name() {
  return v.pipe(
    v.string(blankIfNull),
    documented({ minLength: 1, maxLength: NAME_LIMIT }),
    v.transform(wellFormed),
    v.check(hasNoNul, NUL_MESSAGE),
    v.transform(trimWhiteSpace),
    v.check((text) => text !== '', "can't be blank"),
    v.check((text) => !exceeds(text, NAME_LIMIT), `is longer than ${NAME_LIMIT} characters`),
  )
}

/** Notes, a description, a body: up to 65,536 code points, kept as sent. */
export function longText(message: string | typeof blankIfNull = 'must be a string') {
  return v.pipe(
    v.string(message),
    documented({ maxLength: LONG_TEXT_LIMIT }),
    v.transform(wellFormed),
    v.check(hasNoNul, NUL_MESSAGE),
    v.check(
      (text) => !exceeds(text, LONG_TEXT_LIMIT),
      `is longer than ${LONG_TEXT_LIMIT} characters`,
    ),
  )
}

/** The text of a file, whose limits depend on its name. */
export function fileText() {
  return v.pipe(
    v.string('must be a string'),
    v.transform(wellFormed),
    v.check(hasNoNul, NUL_MESSAGE),
  )
}

/** A long text that says something. */
export function requiredText() {
  return v.pipe(
    longText(blankIfNull),
    documented({ minLength: 1 }),
    v.check((text) => !isBlank(text), "can't be blank"),
  )
}

/** One of a few words, or null for none of them. */
export function choice<const W extends readonly string[]>(words: W) {
  return v.nullable(v.picklist(words, `must be one of ${words.join(', ')}, or null`))
}

/** An address that stands for a person; whether there is such a person is seen later. */
export function personEmail() {
  return v.pipe(v.string('must be the e-mail address of a person'), documented({ format: 'email' }))
}

/** A duration in one of its three shapes, as minutes; an empty one is null. */
export function duration() {
  return v.pipe(
    v.string('must be a string, such as "1:30", "1.5" or "90"'),
    documented({ examples: ['1:30', '1.5', '90', '١:٣٠', ''] }),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const read = readDuration(dataset.value)
      if ('minutes' in read) return read.minutes
      addIssue({ message: read.fault })
      return NEVER
    }),
  )
}

/** The number of a record that has no ref; whether there is such a record is seen later. */
export function numericId() {
  const message = 'must be a whole number, or null'
  return v.pipe(v.number(message), v.integer(message))
}

/** Where an external link leads. */
export function webAddress() {
  const message = `must be an address that begins with http:// or https://, of at most ${ADDRESS_LIMIT} characters`
  return v.pipe(
    v.string(blankIfNull),
    documented({ format: 'uri', maxLength: ADDRESS_LIMIT }),
    v.transform(wellFormed),
    v.transform(trimWhiteSpace),
    v.check((text) => text.length <= ADDRESS_LIMIT && isWebAddress(text), message),
  )
}

/** A place in a list, from 1. */
export function place() {
  const message = 'must be a whole number from 1'
  return v.pipe(v.number(message), v.integer(message), v.minValue(1, message))
}

export function calendarDay() {
  return v.pipe(
    v.string('must be a date (YYYY-MM-DD)'),
    documented({ format: 'date' }),
    v.check(isCalendarDay, 'must be a real date (YYYY-MM-DD)'),
  )
}

export function bool() {
  return v.boolean('must be true or false')
}

/** For shapes of answers. */
export function dateTime() {
  return v.pipe(v.string(), documented({ format: 'date-time' }))
}

export function date() {
  return v.pipe(v.string(), documented({ format: 'date' }))
}

export function email() {
  return v.pipe(v.string(), documented({ format: 'email' }))
}

export function count() {
  return v.pipe(v.number(), v.integer(), v.minValue(0))
}

const ADDRESS_LIMIT = 2_048
const NUL_MESSAGE = "can't contain the NUL character (U+0000)"

function blankIfNull(issue: { received: string }): string {
  return issue.received === 'null' ? "can't be blank" : 'must be a string'
}

function wellFormed(text: string): string {
  return text.toWellFormed()
}

function hasNoNul(text: string): boolean {
  return !text.includes('\0')
}
