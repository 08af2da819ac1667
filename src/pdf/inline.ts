import type { Token } from 'markdown-it'
import type { Dress, Run } from './document.ts'

const CLICKABLE = /^(https?|mailto):/i

/** The text of a block in one flat row: however deep emphasis is nested, what is set is only ever two levels deep. */
export function runsOf(tokens: readonly Token[], line: number): Run[] {
  const runs: Run[] = []
  const marks = { strong: 0, em: 0, s: 0 }
  let url: string | null = null
  const dress = (): Dress => ({
    ...(marks.strong > 0 && { strong: true }),
    ...(marks.em > 0 && { emphasis: true }),
    ...(marks.s > 0 && { strike: true }),
    ...(url !== null && { url }),
  })
  for (const token of tokens) {
    switch (token.type) {
      case 'strong_open':
      case 'strong_close':
      case 'em_open':
      case 'em_close':
      case 's_open':
      case 's_close':
        marks[token.tag as keyof typeof marks] += token.nesting
        break
      case 'link_open':
        url = clickable(token)
        break
      case 'link_close':
        url = null
        break
      case 'hardbreak':
        runs.push({ break: true })
        break
      case 'softbreak':
        put(runs, ' ', dress(), line)
        break
      case 'code_inline':
        putCode(runs, token.content, dress(), line)
        break
      case 'image':
        put(runs, plainText(token.children ?? []), dress(), line)
        break
      default:
        put(runs, token.content, dress(), line)
    }
  }
  return runs
}

/** Lines of code with every space of theirs: at the page's edge they are wrapped, inside words too. */
export function codeRuns(code: string, line: number): Run[] {
  return code.split('\n').flatMap((text, i) => {
    const runs: Run[] = i === 0 ? [] : [{ break: true }]
    put(runs, withoutTabs(text), {}, line)
    return runs
  })
}

export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' '
      return type === 'image' ? plainText(children ?? []) : content
    })
    .join('')
}

/** What is longer Typst refuses to link to. */
const LONGEST_LINK = 2_048

function clickable(token: Token): string | null {
  const href = String(token.attrGet('href') ?? '')
  return CLICKABLE.test(href) && href.length <= LONGEST_LINK ? href : null
}

/** An island from left to right: in a box where it is short, between isolates where it may have to wrap. */
function putCode(runs: Run[], text: string, dress: Dress, line: number): void {
  if (text.length <= line / 3) runs.push({ ...dress, code: 'box', text })
  else runs.push({ ...dress, code: 'wrapped', text: inPieces(`\u2066${text}\u2069`, line) })
}

/** Arabic stands by itself, as the template sets it in its own way. */
function put(runs: Run[], text: string, dress: Dress, line: number): void {
  for (const [part] of text.matchAll(arabicOrOther)) {
    const arabic = isArabic.test(part) ? ({ arabic: true } as const) : {}
    runs.push({ ...dress, ...arabic, text: inPieces(part, line) })
  }
}

const isArabic = /\p{scx=Arab}/u
const arabicOrOther = /\p{scx=Arab}(?:[\p{scx=Arab}\s\p{P}\p{N}]*\p{scx=Arab})?|\P{scx=Arab}+/gu

/**
 * A word that is longer than a line has no place to break, and would run off the page. Marks stay with their letters,
 * within reason: nobody writes more than a few on one.
 */
function inPieces(text: string, line: number): string | string[] {
  const words = text.match(/\S+|\s+/gu) ?? []
  if (words.every((word) => widthOf(word) <= line)) return text
  const size = Math.ceil(line / 8)
  const piece = new RegExp(`(?:\\P{M}\\p{M}{0,9}|\\p{M}{1,9}){1,${size}}`, 'gu')
  const pieces: string[] = []
  let joined = ''
  for (const word of words) {
    if (widthOf(word) <= line) {
      joined += word
      continue
    }
    const [first = '', ...rest] = word.match(piece) ?? []
    pieces.push(joined + first, ...rest.slice(0, -1))
    joined = rest.at(-1) ?? ''
  }
  return [...pieces, joined]
}

/** In letters of the usual width; capitals are wider. */
function widthOf(word: string): number {
  return word.length + (word.match(/\p{Lu}/gu)?.length ?? 0)
}

function withoutTabs(line: string): string {
  let column = 0
  return line.replaceAll(/\t|[^\t]+/g, (part) => {
    const set = part === '\t' ? ' '.repeat(4 - (column % 4)) : part
    column += set.length
    return set
  })
}
