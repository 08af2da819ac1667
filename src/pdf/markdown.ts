import MarkdownIt, { type Token } from 'markdown-it'
import { type Direction, directionOf } from './direction.ts'
import type { Block, Cell, Document, Item, Run, Side, Table } from './document.ts'
import { codeRuns, plainText, runsOf } from './inline.ts'
import { PdfRefusal } from './refusal.ts'

/** Deeper than this a page has no width left, and Typst gives up soon after. */
const DEEPEST = 12

/** More columns than this fit on no page, whatever the size of the letters. */
const MOST_COLUMNS = 40

/** About as many letters of text, or of code, as surely stand on a line of the page. */
const LINE = 72

/** Beyond it Typst takes longer than any deadline, and memory by the gigabyte. */
const MOST_PARTS = 60_000

const parser = new MarkdownIt({
  // Raw HTML is text like any other: nothing of what was written is lost.
  html: false,
  // Beyond it the parser drops what is written; the refusal of DEEPEST comes long before.
  maxNesting: 100,
})
// Every destination is taken; which of them become clickable is decided in inline.ts.
parser.validateLink = () => true
parser.normalizeLinkText = (url) => url

/** CommonMark with tables, task lists and strikethrough, to what is set on the page. */
export function readMarkdown(markdown: string, title: string): Document {
  const tokens = parser.parse(harmless(markdown), {})
  refuseTooMany(tokens)
  takeTasks(tokens)
  const dir = directionAmong(tokens) ?? 'ltr'
  const blocks = readBlocks({ tokens, dir, depth: 0 })
  return { title: headline(tokens) || harmless(title), dir, blocks }
}

/** Each paragraph, item and cell has one such token for its text; each change of its dress is a child of that. */
function refuseTooMany(tokens: Token[]): void {
  const parts = tokens.filter(({ nesting }) => nesting >= 0).length
  const stretches = tokens.reduce((sum, { children }) => sum + (children?.length ?? 0), 0)
  if (parts + stretches + linesOfCode(tokens) > MOST_PARTS) {
    throw new PdfRefusal('has too many parts to set as a PDF: divide it into several documents')
  }
}

function linesOfCode(tokens: Token[]): number {
  return tokens
    .filter(({ type }) => type === 'fence' || type === 'code_block')
    .reduce((sum, { content }) => sum + content.split('\n').length, 0)
}

/** A heading that a document begins with was written as its title, while a file's name is often made by a machine. */
function headline(tokens: Token[]): string {
  const [open, inline] = tokens
  if (open?.type !== 'heading_open' || open.tag !== 'h1' || !inline) return ''
  return plainText(inline.children ?? []).trim()
}

/**
 * Without the characters that have no shape and that PDF's metadata may not hold. Embeddings and overrides of direction,
 * over which Typst falls, become the isolates that Unicode has in their place.
 */
function harmless(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u202a\u202d]/g, '\u2066')
    .replaceAll(/[\u202b\u202e]/g, '\u2067')
    .replaceAll('\u202c', '\u2069')
    .replaceAll(/[\v\f\u0085\u2028\u2029]/g, ' ')
    .replaceAll(/[\0-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufff9-\ufffb]/g, '')
}

/** Some tokens, the direction of what is around them, and how many lists and quotes that is. */
interface Part {
  tokens: Token[]
  dir: Direction
  depth: number
}

function readBlocks(part: Part): Block[] {
  if (part.depth > DEEPEST) {
    throw new PdfRefusal(`nests lists and quotes more than ${DEEPEST} deep: flatten it`)
  }
  return siblings(part.tokens).flatMap((tokens) => readBlock({ ...part, tokens }))
}

function readBlock(part: Part): Block[] {
  const [open] = part.tokens
  switch (open?.type) {
    case 'paragraph_open':
      return readParagraph(part)
    case 'heading_open':
      return [readHeading(part, open)]
    case 'fence':
    case 'code_block':
      return readCode(part, open)
    case 'hr':
      return [{ kind: 'rule' }]
    case 'blockquote_open':
      return [readQuote(part)]
    case 'bullet_list_open':
    case 'ordered_list_open':
      return [readList(part, open)]
    case 'table_open':
      return [readTable(part)]
    default:
      throw new Error(`markdown-it gave a token of an unknown type: ${open?.type}`)
  }
}

function readParagraph(part: Part): Block[] {
  const text = readText(part)
  return text.runs.length === 0 ? [] : [{ kind: 'paragraph', ...text }]
}

function readHeading(part: Part, open: Token): Block {
  const level = Number(open.tag.slice(1))
  return { kind: 'heading', level, ...readText(part, level < 3 ? 0.6 : 0.8) }
}

function readText({ tokens, dir, depth }: Part, share = 1): { dir: Direction; runs: Run[] } {
  const runs = runsOf(tokens[1]?.children ?? [], Math.floor(lineAt(depth) * share))
  return { dir: directionAmong(tokens) ?? dir, runs }
}

/** What a fence says of itself (a language, a file's name) helps a reader as little as it is seen on the web. */
function readCode({ depth }: Part, { content }: Token): Block[] {
  return [{ kind: 'code', runs: codeRuns(content.replace(/\n$/, ''), lineAt(depth)) }]
}

function readQuote(part: Part): Block {
  const dir = directionAmong(part.tokens) ?? part.dir
  return { kind: 'quote', dir, blocks: readBlocks(inside(part, dir)) }
}

function readList(part: Part, open: Token): Block {
  const dir = directionAmong(part.tokens) ?? part.dir
  const tight = part.tokens.some(({ level, hidden }) => hidden && level === open.level + 2)
  const items = siblings(part.tokens.slice(1, -1)).map((tokens, i): Item => {
    const task = tokens[0]?.meta?.task
    const marks = open.tag === 'ol' ? [numberOf(open, i), task] : [task ?? bulletAt(part.depth)]
    const marker = marks.filter((mark) => mark !== undefined).join(' ')
    return { marker, blocks: readBlocks(inside({ ...part, tokens }, dir)) }
  })
  return { kind: 'list', dir, tight, items }
}

/** Only the first number that is written counts. */
function numberOf(list: Token, index: number): string {
  return `${Number(list.attrGet('start') ?? 1) + index}${list.markup}`
}

function bulletAt(depth: number): string {
  return depth % 2 === 0 ? '•' : '–'
}

/** The boxes of GitHub's task lists, from the items' texts to the items: the x in them is no letter of the text. */
function takeTasks(tokens: Token[]): void {
  tokens.forEach((item, i) => {
    const text = tokens[i + 1]?.type === 'paragraph_open' ? tokens[i + 2]?.children?.[0] : null
    const isFirst = item.type === 'list_item_open' && text?.type === 'text'
    const box = isFirst ? /^\[([ xX])\]\s+/.exec(text.content) : null
    if (!text || !box) return
    text.content = text.content.slice(box[0].length)
    item.meta = { task: box[1] === ' ' ? '☐' : '☑' }
  })
}

function readTable(part: Part): Table {
  const dir = directionAmong(part.tokens) ?? part.dir
  const rows = siblings(part.tokens.slice(1, -1))
    .flatMap((section) => siblings(section.slice(1, -1)))
    .map((row) => siblings(row.slice(1, -1)))
  const [head = [], ...body] = rows
  if (head.length > MOST_COLUMNS) {
    throw new PdfRefusal(`has a table of more than ${MOST_COLUMNS} columns: no page is so wide`)
  }
  const line = Math.max(3, Math.floor(lineAt(part.depth) / head.length) - 2)
  const scale = head.length > 16 ? 0.5 : head.length > 8 ? 0.7 : head.length > 5 ? 0.85 : 0.95
  const read = (tokens: Token[]): Cell => ({
    dir: directionAmong(tokens) ?? dir,
    runs: runsOf(tokens[1]?.children ?? [], line),
  })
  return {
    kind: 'table',
    dir,
    scale,
    columns: head.map(sideOf),
    head: head.map(read),
    rows: body.map((row) => row.map(read)),
  }
}

function sideOf([open]: Token[]): Side {
  const style = String(open?.attrGet('style') ?? '')
  return (/(left|center|right)$/.exec(style)?.[0] ?? 'start') as Side
}

function inside(part: Part, dir: Direction): Part {
  return { tokens: part.tokens.slice(1, -1), dir, depth: part.depth + 1 }
}

/** Each list and each quote takes something of the line away. */
function lineAt(depth: number): number {
  return LINE - depth * 5
}

/** A flat run of tokens, parted where one block ends and the next begins. */
function siblings(tokens: Token[]): Token[][] {
  const parts: Token[][] = []
  let depth = 0
  let begin = 0
  tokens.forEach((token, i) => {
    depth += token.nesting
    if (depth > 0) return
    parts.push(tokens.slice(begin, i + 1))
    begin = i + 1
  })
  return parts
}

/** Code reads from left to right whatever is in it, like an isolate, and says nothing of the text around it. */
function directionAmong(tokens: Token[]): Direction | null {
  for (const { type, content, children } of tokens) {
    const found = children
      ? directionAmong(children)
      : type === 'text'
        ? directionOf(content)
        : null
    if (found) return found
  }
  return null
}
