import { type QueryParameter, wholeNumber } from './query.ts'

/** A window on a collection (spec: Limits). Out-of-range values are clamped, never refused. */
export interface Page {
  limit: number
  offset: number
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

export const pageQuery = {
  limit: {
    description: 'How many records to answer; below 1 counts as 1, above 100 as 100.',
    schema: { type: 'integer', default: DEFAULT_LIMIT, minimum: 1, maximum: MAX_LIMIT },
    read: (raw) => clamp(wholeNumber(raw) ?? DEFAULT_LIMIT, 1, MAX_LIMIT),
  },
  offset: {
    description: 'How many records to skip.',
    schema: { type: 'integer', default: 0, minimum: 0 },
    read: (raw) => clamp(wholeNumber(raw) ?? 0, 0, Number.MAX_SAFE_INTEGER),
  },
} satisfies Record<string, QueryParameter<number>>

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
