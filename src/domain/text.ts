/** contract: Values. Names and titles are trimmed of white space, and of nothing else. */
const WHITE_SPACE = /^\p{White_Space}$/u

export const NAME_LIMIT = 255
export const LONG_TEXT_LIMIT = 65_536
const EXCERPT = 100

export function trimWhiteSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && WHITE_SPACE.test(text[start] as string)) start++
  while (end > start && WHITE_SPACE.test(text[end - 1] as string)) end--
  return text.slice(start, end)
}

export function isBlank(text: string): boolean {
  return trimWhiteSpace(text) === ''
}

/** Whether `text` has more than `limit` code points. */
export function exceeds(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  if (text.length > limit * 2) return true
  let points = 0
  for (const _ of text) if (++points > limit) return true
  return false
}

/** The beginning of what a caller sent, in quotes, for a message that names it. */
export function excerpt(text: string): string {
  const letters = [...text.slice(0, 2 * EXCERPT).replace(/\p{Cc}/gu, ' ')]
  const isLonger = letters.length > EXCERPT
  return `"${letters.slice(0, EXCERPT).join('')}${isLonger ? '…' : ''}"`
}
