import { isAscii } from 'node:buffer'
import * as v from 'valibot'
import { unprocessable } from './errors.ts'
import { type RawBody, TOO_LARGE } from './exchange.ts'
import type { Route } from './route.ts'

const USUAL_CAP = 1024 * 1024

/** contract: Values. 5 MB of Arabic text, escaped letter by letter, is that long. */
export const UPLOAD_CAP = 16 * 1024 * 1024

/** A flat object may hold a list; more depth than this is an attack on the parser. */
const MAX_DEPTH = 32

/** Refuses what is no UTF-8, where a lenient reading would destroy an Arabic name sent in an older encoding. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A hundred times what any body of ours holds; a million of them in one would hold up everybody else. */
const MOST_VALUES = 10_000

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPENING_LIST = 0x5b
const CLOSING_LIST = 0x5d
const OPENING_OBJECT = 0x7b
const CLOSING_OBJECT = 0x7d

export function parseBody<S extends v.GenericSchema>(schema: S, raw: Buffer): v.InferOutput<S> {
  const result = v.safeParse(schema, readObject(raw), { abortPipeEarly: true })
  if (result.success) return result.output
  throw unprocessable(result.issues.map((issue) => sentence(schema, issue)).join('; '))
}

export function capOf({ bodyCap = USUAL_CAP }: Route): number {
  return bodyCap
}

export function refuseTooLarge(raw: RawBody, cap: number): asserts raw is Buffer {
  if (raw === TOO_LARGE) throw unprocessable(`the request's body is over the limit of ${cap} bytes`)
}

function readObject(raw: Buffer): object {
  refuseHardToParse(raw)
  const value = parseJson(raw)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unprocessable(
      'the request\'s body must be a flat JSON object in UTF-8, such as {"field": "value"}',
    )
  }
  return value
}

function parseJson(raw: Buffer): unknown {
  try {
    // Most bodies are, and reading them as that takes half the time.
    return JSON.parse(isAscii(raw) ? raw.toString('latin1') : utf8.decode(raw))
  } catch {
    return undefined
  }
}

function refuseHardToParse(raw: Buffer): void {
  let depth = 0
  let values = 1
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]
    if (byte === QUOTE) {
      i = endOfString(raw, i)
      if (i < 0) return
    } else if (byte === COMMA) {
      if (++values > MOST_VALUES)
        throw unprocessable(`the request's body holds more than ${MOST_VALUES} values`)
    } else if (byte === OPENING_LIST || byte === OPENING_OBJECT) {
      if (++depth > MAX_DEPTH)
        throw unprocessable(`the request's body is nested more than ${MAX_DEPTH} levels deep`)
    } else if (byte === CLOSING_LIST || byte === CLOSING_OBJECT) depth--
  }
}

/** The index of the closing quote, or -1. What comes before the first escape is crossed at once, the rest by the letter. */
function endOfString(raw: Buffer, start: number): number {
  const end = raw.indexOf(QUOTE, start + 1)
  if (end < 0) return end
  const backslash = raw.subarray(start + 1, end).indexOf(BACKSLASH)
  if (backslash < 0) return end
  for (let i = start + 1 + backslash; i < raw.length; i++) {
    if (raw[i] === BACKSLASH) i++
    else if (raw[i] === QUOTE) return i
  }
  return -1
}

function sentence(schema: v.GenericSchema, issue: v.BaseIssue<unknown>): string {
  const field = v.getDotPath(issue) ?? 'body'
  const isMissing = issue.type === 'object' && issue.received === 'undefined'
  return `${field} ${isMissing ? messageForNull(schema, field) : issue.message}`
}

/** What is missing is refused in the words for what is null. */
function messageForNull(schema: v.GenericSchema, field: string): string {
  const { entries } = schema as unknown as { entries: Record<string, v.GenericSchema> }
  const result = v.safeParse(entries[field] as v.GenericSchema, null)
  return result.issues?.[0].message ?? "can't be blank"
}
