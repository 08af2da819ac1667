import { exceeds, LONG_TEXT_LIMIT } from './text.ts'

export type TextNode = TextElement | string

export interface TextElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly children: TextNode[]
}

/** Quotations and lists further inside begin their lines like those of this level. */
const LEVELS = 8

/** As a person would type it, up to the limit; null when there is nothing to read. */
export function renderPlain(nodes: readonly TextNode[]): string | null {
  if (!isReadable(nodes)) return null
  const { lines } = blockOf(nodes, { level: 0, isVerbatim: false, isListed: false })
  const first = lines.findIndex(isText)
  const last = lines.findLastIndex(isText)
  const text = lines.slice(first, last + 1).join('\n')
  return exceeds(text, LONG_TEXT_LIMIT) ? beginning(text, LONG_TEXT_LIMIT).trimEnd() : text
}

/** At most so many code points. */
export function beginning(text: string, limit: number): string {
  let end = 0
  for (let points = 0; points < limit && end < text.length; points++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (match) => ESCAPES[match] ?? match)
}

export function escapeLines(text: string): string {
  return text.replace(/[&<>"]|\r\n?|\n/g, (match) => ESCAPES[match] ?? '<br>')
}

interface Context {
  readonly level: number
  readonly isVerbatim: boolean
  readonly isListed: boolean
}

/** Lines, and whether an empty one is due between them and what is around them. */
interface Block {
  readonly lines: readonly string[]
  readonly isApartBefore: boolean
  readonly isApartAfter: boolean
}

/** Inline text is one string from block to block, with a line break for each <br>. */
type Part = string | Block

function isReadable(nodes: readonly TextNode[]): boolean {
  return nodes.some((node) =>
    typeof node === 'string' ? isText(node) : node.name === 'hr' || isReadable(node.children),
  )
}

function isText(text: string): boolean {
  return text.trim() !== ''
}

function blockOf(nodes: readonly TextNode[], context: Context): Block {
  return joined(partsOf(nodes, context), context)
}

function partsOf(nodes: readonly TextNode[], context: Context): Part[] {
  return gathered(nodes, (node) => partsOfNode(node, context))
}

function gathered(nodes: readonly TextNode[], partsOfOne: (node: TextNode) => Part[]): Part[] {
  const parts: Part[] = []
  let blocks = 0
  for (const node of nodes) {
    for (const part of partsOfOne(node)) {
      if (typeof part === 'string' && typeof parts.at(-1) === 'string') {
        parts[parts.length - 1] += part
      } else parts.push(part)
      if (typeof part !== 'string' && part.lines.some(isText)) blocks++
    }
    // Each has a code point at least, so the text is full.
    if (blocks === LONG_TEXT_LIMIT) break
  }
  return parts
}

function partsOfNode(node: TextNode, context: Context): Part[] {
  if (typeof node === 'string') return [context.isVerbatim ? node : collapse(node)]
  if (node.name === 'br') return ['\n']
  const block = blockOfElement(node, context)
  return block ? [block] : folded(partsOf(withAddress(node), context), context)
}

/** An inline element with many blocks in it is as one block, with text before and behind it. */
function folded(parts: Part[], context: Context): Part[] {
  const isBlock = (part: Part) => typeof part !== 'string'
  const first = parts.findIndex(isBlock)
  const end = parts.findLastIndex(isBlock) + 1
  if (end - first <= 1) return parts
  return [...parts.slice(0, first), joined(parts.slice(first, end), context), ...parts.slice(end)]
}

function blockOfElement(element: TextElement, context: Context): Block | undefined {
  const { name, children } = element
  if (name === 'hr') return apart(lone(['---']))
  if (name === 'ul' || name === 'ol') return list(element, context)
  if (name === 'li') return inset('- ', '  ', children, context)
  if (name === 'blockquote') return apart(inset('> ', '> ', children, context))
  if (name === 'pre') return apart(preformatted(children, context))
  if (name === 'tr') return lone(row(children, context))
  if (/^(div|thead|tbody|td|th)$/.test(name)) return blockOf(children, context)
  if (/^(p|h[1-6]|table)$/.test(name)) return apart(blockOf(children, context))
  return undefined
}

function list({ name, attributes, children }: TextElement, context: Context): Block {
  const inside = { ...context, isListed: true }
  let number = Number(attributes.start ?? 1)
  const parts = gathered(children, (child) => {
    const item = typeof child === 'string' ? undefined : child
    if (item?.name === 'li') {
      const marker = name === 'ol' ? `${number++}. ` : '- '
      return [inset(marker, '  ', item.children, inside)]
    }
    if (item?.name === 'ul' || item?.name === 'ol') return [inset('  ', '  ', [item], inside)]
    return partsOfNode(child, inside)
  })
  const block = joined(parts, inside)
  return context.isListed ? block : apart(block)
}

/** Lines that begin with a prefix; the first of them with another one. */
function inset(first: string, others: string, nodes: readonly TextNode[], context: Context): Block {
  const { lines } = blockOf(nodes, { ...context, level: context.level + 1 })
  if (context.level >= LEVELS) return lone(lines)
  const isIndent = !isText(others)
  return lone(
    lines.map((line, index) => {
      if (index === 0) return first + line
      return isIndent && line === '' ? line : others + line
    }),
  )
}

/** The line break right behind <pre> is not part of the text. */
function preformatted([first, ...others]: readonly TextNode[], context: Context): Block {
  if (first === undefined) return lone([])
  const start = typeof first === 'string' ? first.replace(/^\n/, '') : first
  return blockOf([start, ...others], { ...context, isVerbatim: true })
}

/** One line, whatever is in its cells. */
function row(nodes: readonly TextNode[], context: Context): readonly string[] {
  const inside = { ...context, level: LEVELS }
  const cells: string[] = []
  for (const node of nodes) {
    const text = trimmed(blockOf([node], inside).lines.join(' '))
    const isCell = typeof node !== 'string' && /^t[dh]$/.test(node.name)
    if (isCell || text !== '') cells.push(text)
    if (cells.length > LONG_TEXT_LIMIT) break
  }
  const line = cells.join('\t')
  return line === '' ? [] : [line]
}

/** With the address of a link behind its text, unless that says it already. */
function withAddress({ attributes, children }: TextElement): readonly TextNode[] {
  const { href } = attributes
  if (href === undefined) return children
  const text = trimmed(textOf(children))
  const address = href.replace(/^mailto:/i, '')
  return text === address || text === href ? children : appended(children, ` (${address})`)
}

function textOf(nodes: readonly TextNode[]): string {
  let text = ''
  for (const node of nodes) text += typeof node === 'string' ? node : textOf(node.children)
  return text
}

/** The text goes where the last of what can be read ends. */
function appended(nodes: readonly TextNode[], text: string): readonly TextNode[] {
  const at = nodes.findLastIndex((node) => hasText([node]))
  return nodes.map((node, index) => {
    if (index !== at) return node
    if (typeof node !== 'string') return { ...node, children: [...appended(node.children, text)] }
    const end = node.trimEnd().length
    return node.slice(0, end) + text + node.slice(end)
  })
}

function hasText(nodes: readonly TextNode[]): boolean {
  return nodes.some((node) => (typeof node === 'string' ? isText(node) : hasText(node.children)))
}

function joined(parts: readonly Part[], { isVerbatim }: Context): Block {
  const [first] = parts
  if (parts.length === 1 && typeof first === 'object') return first
  const lines: string[] = []
  let isApartBefore = false
  let isApart = false
  for (const part of parts) {
    const block = typeof part === 'string' ? lone(linesOf(part, isVerbatim)) : part
    isApart ||= block.isApartBefore
    if (lines.length === 0) isApartBefore = isApart
    if (block.lines.length === 0) continue
    if (isApart && lines.length > 0 && lines.at(-1) !== '') lines.push('')
    for (const line of block.lines) lines.push(line)
    isApart = block.isApartAfter
  }
  return { lines: withinLimit(lines), isApartBefore, isApartAfter: isApart }
}

function linesOf(text: string, isVerbatim: boolean): string[] {
  const lines = text.split('\n')
  const read = isVerbatim ? lines : lines.map(trimmed)
  // A line break ends a line; what is behind the last one begins none.
  return read.at(-1) === '' ? read.slice(0, -1) : read
}

/** More cannot be in the text: a line has a code point at least, and empty ones leave its beginning. */
function withinLimit(lines: readonly string[]): readonly string[] {
  const first = Math.max(0, lines.findIndex(isText))
  return lines.slice(Math.max(0, first - LONG_TEXT_LIMIT), first + LONG_TEXT_LIMIT)
}

function apart(block: Block): Block {
  return { ...block, isApartBefore: true, isApartAfter: true }
}

function lone(lines: readonly string[]): Block {
  return { lines, isApartBefore: false, isApartAfter: false }
}

function trimmed(text: string): string {
  const collapsed = collapse(text)
  const start = collapsed.startsWith(' ') ? 1 : 0
  return collapsed.slice(start, collapsed.endsWith(' ') ? -1 : undefined)
}

/** What browsers collapse: neither the no-break space nor any other space of Unicode is among it. */
function collapse(text: string): string {
  return text.replace(/[ \t\n\f\r]{2,}|[\t\n\f\r]/g, ' ')
}
