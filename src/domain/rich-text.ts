import { Parser } from 'htmlparser2'
import {
  beginning,
  escapeLines,
  escapeText,
  renderPlain,
  type TextElement,
  type TextNode,
} from './rich-text-plain.ts'
import { NAME_LIMIT } from './text.ts'

export interface RichText {
  readonly html: string
  readonly plain: string | null
  readonly attachments: readonly string[]
}

/** Text is text: the plain rendering is exactly what was sent. */
export function fromPlain(text: string): RichText {
  return { html: escapeLines(text), plain: text, attachments: [] }
}

export function richOrNull(text: string | null): RichText | null {
  return text === null ? null : fromPlain(text)
}

/** What an editor sends: sanitised; attachments leave the text and are named. */
export function fromHtml(dirty: string): RichText {
  const html = dirty.slice(0, INPUT_LIMIT).toWellFormed().replace(/\r\n?/g, '\n')
  const { nodes, attachments } = read(html)
  return { html: serialise(nodes), plain: renderPlain(nodes), attachments }
}

type Attributes = TextElement['attributes']
const NONE: Attributes = {}

const PARAGRAPHS = words('p ul ol li blockquote pre h1 h2 h3 h4 h5 h6 table thead tbody tr th td')
/** Blocks without a meaning of their own here; a figure only when it attaches nothing. */
const DIVS = words(
  'div section article aside header footer main nav address center dl dt dd fieldset legend form ' +
    'figure figcaption details summary hgroup menu dialog search',
)
const BLOCKS = new Set([...PARAGRAPHS, ...DIVS])
const INLINES = words('strong b em i u s del a code bdi bdo')
const LEAVES = words('br hr')

const ATTACHMENTS = words('figure action-text-attachment bc-attachment')
const FOREIGN = words('svg math')
/** Where there is HTML again in a foreign element; title is dropped anyway. */
const INTEGRATION = words('foreignobject desc mi mo mn ms mtext annotation-xml')
/** Without an end tag, these last to the end; a foreign element to the next block that is not in it. */
const LASTING = words('script style textarea noscript template svg math iframe object title')
const DROPPED = new Set([...LASTING, 'select', 'option'])
const SELF_CLOSING = new Set([...ATTACHMENTS, ...FOREIGN, ...INTEGRATION])

/** What a block ends that is open and was given no end tag. */
const IMPLIED: Readonly<Record<string, ReadonlySet<string>>> = {
  li: words('p li'),
  dt: words('p dt dd'),
  dd: words('p dt dd'),
  td: words('p td th'),
  th: words('p td th'),
  tr: words('p td th tr'),
  thead: words('p td th tr thead tbody'),
  tbody: words('p td th tr thead tbody'),
}
const PARAGRAPH = words('p')

const INPUT_LIMIT = 1_048_576
const ATTACHMENT_LIMIT = 100
/** Deeper elements become flat. It bounds the recursion here, and the search for what an end tag ends. */
const DEPTH = 64

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

type Token = string | Tag

interface Tag {
  readonly name: string
  readonly attributes: Attributes
  readonly isEnd: boolean
  readonly isSelfClosing: boolean
}

function read(html: string): { nodes: TextNode[]; attachments: string[] } {
  const tokens: Token[] = []
  new TagParser(html, tokens).end(html)
  const ends = endsOfDropped(tokens)
  const tree = new Tree()
  const attachments: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    if (typeof token === 'string') tree.text(token)
    else if (token.isEnd) tree.end(token.name)
    else {
      const isAttached = attaches(token)
      if (isAttached && attachments.length < ATTACHMENT_LIMIT) {
        attachments.push(beginning(attachmentName(token), NAME_LIMIT))
      }
      if (!isAttached && !DROPPED.has(token.name)) tree.begin(token)
      else at = ends.get(at) ?? (LASTING.has(token.name) ? tokens.length : at)
    }
  }
  return { nodes: tree.nodes, attachments }
}

/** Tags as they come: no element waits for its end in the parser. */
class TagParser extends Parser {
  readonly #html: string
  readonly #tokens: Token[]
  #isSelfClosing = false

  constructor(html: string, tokens: Token[]) {
    super({
      onopentag: (name, attributes) => {
        tokens.push({ name, attributes, isEnd: false, isSelfClosing: this.#isSelfClosing })
      },
      ontext: (text) => {
        if (typeof tokens.at(-1) === 'string') tokens[tokens.length - 1] += text
        else tokens.push(text)
      },
    })
    this.#html = html
    this.#tokens = tokens
  }

  override isVoidElement(): boolean {
    return true
  }

  override onselfclosingtag(end: number): void {
    this.#isSelfClosing = true
    super.onopentagend(end)
    this.#isSelfClosing = false
  }

  override onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase()
    this.#tokens.push({ name, attributes: NONE, isEnd: true, isSelfClosing: false })
  }

  /** Of an end tag without its end, version 10 takes the last code unit for text, at -1. */
  override ontext(start: number, end: number): void {
    if (start >= 0) super.ontext(start, end)
  }
}

/**
 * The last token of what is dropped, by its first: known before the tree is built, so that an
 * element without its end tag takes nothing with it that is not its own.
 */
function endsOfDropped(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const open = new Map<string, number[]>()
  for (const name of [...DROPPED, ...ATTACHMENTS, ...INTEGRATION]) open.set(name, [])

  const endForeign = (at: number) => {
    if (!open.get('svg')?.length && !open.get('math')?.length) return
    const integration = Math.max(...[...INTEGRATION].map((name) => open.get(name)?.at(-1) ?? -1))
    for (const name of FOREIGN) {
      const starts = open.get(name) ?? []
      for (let last = starts.length - 1; last >= 0; last--) {
        const start = starts[last] ?? -1
        if (start < integration || ends.has(start)) break
        ends.set(start, at)
      }
    }
  }
  tokens.forEach((tag, at) => {
    if (typeof tag === 'string') return
    const { name, isEnd, isSelfClosing } = tag
    const starts = open.get(name)
    if (!isEnd && BLOCKS.has(name)) endForeign(at - 1)
    if (!isEnd && ATTACHMENTS.has(name)) starts?.pop()
    if (!isEnd) starts?.push(at)
    const start = isEnd || (isSelfClosing && SELF_CLOSING.has(name)) ? starts?.pop() : undefined
    if (start !== undefined) ends.set(start, at)
  })
  return ends
}

class Tree {
  readonly nodes: TextNode[] = []
  readonly #open: { name: string; children: TextNode[] }[] = [{ name: '', children: this.nodes }]

  text(data: string): void {
    const text = data.replace(/\0/g, '').replace(/\r/g, '\n')
    const children = this.#children
    if (typeof children.at(-1) === 'string') children[children.length - 1] += text
    else if (text !== '') children.push(text)
  }

  begin({ name, attributes }: Tag): void {
    if (BLOCKS.has(name) || name === 'hr') this.#endImplied(name)
    if (name === 'a') this.#endOpen(name)
    const isParent = BLOCKS.has(name) || INLINES.has(name)
    if (!LEAVES.has(name) && (!isParent || this.#open.length > DEPTH)) return
    const element = kept(name, attributes)
    this.#children.push(element)
    if (isParent) this.#open.push({ name, children: element.children })
  }

  /** As in browsers, two end tags make the element that they do not end. */
  end(name: string): void {
    if (this.#endOpen(name)) return
    if (name === 'br' || (name === 'p' && this.#open.length <= DEPTH))
      this.#children.push(kept(name, NONE))
  }

  get #children(): TextNode[] {
    return this.#open.at(-1)?.children ?? this.nodes
  }

  #endImplied(name: string): void {
    const ended = IMPLIED[name] ?? PARAGRAPH
    while (ended.has(this.#open.at(-1)?.name ?? '')) this.#open.pop()
  }

  #endOpen(name: string): boolean {
    const at = this.#open.findLastIndex((element) => element.name === name)
    if (at > 0) this.#open.length = at
    return at > 0
  }
}

function attaches({ name, attributes }: Tag): boolean {
  if (name === 'figure') return attributes['data-trix-attachment'] !== undefined
  return name === 'img' || ATTACHMENTS.has(name)
}

function attachmentName({ name, attributes }: Tag): string {
  const { alt, src, filename, 'data-trix-attachment': json } = attributes
  if (name === 'img') return visible(alt) || visible(lastSegment(src)) || 'image'
  return visible(name === 'figure' ? filenameIn(json) : filename) || 'attachment'
}

function visible(name = ''): string {
  const text = name.toWellFormed().replace(/[\0-\x1f\x7f]/g, '')
  return text.trim()
}

function filenameIn(json = ''): string | undefined {
  try {
    const { filename } = JSON.parse(json)
    return typeof filename === 'string' ? filename : undefined
  } catch {
    return undefined
  }
}

function lastSegment(src = ''): string | undefined {
  const base = 'https://relative.invalid'
  if (!URL.canParse(src, base)) return undefined
  const { protocol, pathname } = new URL(src, base)
  if (!/^https?:$/.test(protocol)) return undefined
  const segment = pathname.split('/').at(-1)
  try {
    return decodeURIComponent(segment ?? '')
  } catch {
    return segment
  }
}

function kept(name: string, { href, start, dir }: Attributes): TextElement {
  const attributes: Record<string, string> = {}
  const address = name === 'a' && safeAddress(href)
  if (address) Object.assign(attributes, { href: address, rel: 'noopener noreferrer nofollow' })
  if (name === 'ol' && /^-?\d{1,9}$/.test(start ?? '')) attributes.start = String(Number(start))
  const direction = dir?.toLowerCase() ?? ''
  if ((BLOCKS.has(name) || name === 'bdo') && /^(ltr|rtl|auto)$/.test(direction)) {
    attributes.dir = direction
  }
  return { name: DIVS.has(name) ? 'div' : name, attributes, children: [] }
}

/** As it was written, but for what browsers ignore in an address. */
function safeAddress(href = ''): string | undefined {
  const address = href.replace(/[\0-\x1f]/g, '').trim()
  return /^(https?|mailto):/i.test(address) && URL.canParse(address) ? address : undefined
}

function serialise(nodes: readonly TextNode[]): string {
  let html = ''
  for (const node of nodes) {
    if (typeof node === 'string') {
      html += escapeText(node)
      continue
    }
    const { name, attributes, children } = node
    html += `<${name}`
    for (const key in attributes) html += ` ${key}="${escapeText(attributes[key] ?? '')}"`
    html += LEAVES.has(name) ? '>' : `>${serialise(children)}</${name}>`
  }
  return html
}
