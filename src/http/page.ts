import { clamped } from './query.ts'

/** A window on a collection (spec: Limits). Out-of-range values are clamped, never refused. */
export interface Page {
  limit: number
  offset: number
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

export const pageQuery = {
  limit: clamped(
    'How many records to answer; below 1 counts as 1, above 100 as 100.',
    DEFAULT_LIMIT,
    1,
    MAX_LIMIT,
  ),
  offset: clamped('How many records to skip.', 0, 0, Number.MAX_SAFE_INTEGER),
}
