import * as v from 'valibot'
import { isCalendarDay } from './instant.ts'
import { exceeds, LONG_TEXT_LIMIT, NAME_LIMIT, trimWhiteSpace } from './text.ts'

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
export function longText() {
  return v.pipe(
    v.string('must be a string'),
    documented({ maxLength: LONG_TEXT_LIMIT }),
    v.transform(wellFormed),
    v.check(hasNoNul, NUL_MESSAGE),
    v.check(
      (text) => !exceeds(text, LONG_TEXT_LIMIT),
      `is longer than ${LONG_TEXT_LIMIT} characters`,
    ),
  )
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
