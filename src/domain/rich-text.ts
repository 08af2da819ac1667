import { type Handler, Parser } from 'htmlparser2'
import { renderPlain, type TextElement, type TextNode } from './rich-text-plain.ts'

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
  const { nodes, attachments } = read(dirty.toWellFormed().replace(/\r\n?/g, '\n'))
  return { html: serialise(nodes), plain: renderPlain(nodes), attachments }
}

type Attributes = TextElement['attributes']

const BLOCKS = words('p div ul ol li blockquote pre h1 h2 h3 h4 h5 h6 table thead tbody tr th td')
const INLINES = words('strong b em i u s del a code bdi bdo')
const LEAVES = words('br hr')
const DROPPED = words('script style textarea option noscript template svg math iframe object title')
const ATTACHMENTS = words('figure action-text-attachment bc-attachment')
const PARENTS = new Set([...BLOCKS, ...INLINES, ...DROPPED, ...ATTACHMENTS])

/** Deeper elements become flat. It bounds the recursion here and, in the parser, the search for what an end tag ends. */
const DEPTH = 64
/** What is dropped is followed further down, so that its end is found. */
const DEPTH_DROPPED = DEPTH + 32

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

function read(html: string): { nodes: TextNode[]; attachments: string[] } {
  const root: TextElement = { name: '', attributes: {}, children: [] }
  const attachments: string[] = []
  const open = [root]
  let depthOfDropped = Number.POSITIVE_INFINITY
  let isChildless = false

  const parent = () => open.at(-1) ?? root
  const isInDropped = () => open.length > depthOfDropped
  const isFull = (name: string) => {
    const isFollowed = isInDropped() || DROPPED.has(name) || ATTACHMENTS.has(name)
    return open.length > (isFollowed ? DEPTH_DROPPED : DEPTH)
  }
  const parser = new BoundedParser(isFull, unclosed(html), {
    onopentag(name, attributes) {
      isChildless = parser.isVoidElement(name)
      const attachment = isInDropped() ? undefined : attachmentName(name, attributes)
      if (attachment !== undefined) attachments.push(attachment)
      if (LEAVES.has(name) && !isInDropped()) parent().children.push(kept(name, {}))
      if (isChildless) return
      const isDropped = attachment !== undefined || DROPPED.has(name)
      if (isDropped && !isInDropped()) depthOfDropped = open.length
      if (isDropped || isInDropped() || open.length > DEPTH) {
        open.push(parent())
      } else {
        const element = kept(name, attributes)
        parent().children.push(element)
        open.push(element)
      }
    },
    ontext(data) {
      if (isInDropped()) return
      const text = data.replaceAll('\0', '').replaceAll('\r', '\n')
      const { children } = parent()
      const last = children.at(-1)
      if (typeof last === 'string') children[children.length - 1] = last + text
      else if (text !== '') children.push(text)
    },
    onclosetag() {
      if (!isChildless) open.pop()
      isChildless = false
      if (!isInDropped()) depthOfDropped = Number.POSITIVE_INFINITY
    },
  })
  parser.end(html)
  return { nodes: root.children, attachments }
}

/** Neither unknown elements nor those too deep are kept waiting for their end: their content is their parent's. */
class BoundedParser extends Parser {
  readonly #isFull: (name: string) => boolean
  readonly #unclosed: ReadonlySet<string>
  #isFlat: boolean | undefined

  constructor(
    isFull: (name: string) => boolean,
    unclosed: ReadonlySet<string>,
    handler: Partial<Handler>,
  ) {
    super(handler)
    this.#isFull = isFull
    this.#unclosed = unclosed
  }

  override onopentagname(start: number, end: number): void {
    this.#isFlat = undefined
    super.onopentagname(start, end)
  }

  /** Of an end tag without its end, version 10 takes the last code unit for text, at -1. */
  override ontext(start: number, end: number): void {
    if (start >= 0) super.ontext(start, end)
  }

  override onclosetag(start: number, end: number): void {
    this.#isFlat = false
    super.onclosetag(start, end)
  }

  /** Asked before and after a start tag is handled, so the first answer is kept. */
  override isVoidElement(name: string): boolean {
    if (!PARENTS.has(name) || this.#unclosed.has(name)) return true
    this.#isFlat ??= this.#isFull(name)
    return this.#isFlat
  }
}

/** An attachment written without its end tag is not to take the rest of the text with it. */
function unclosed(html: string): ReadonlySet<string> {
  const ends = html.toLowerCase()
  return new Set([...ATTACHMENTS].filter((name) => !ends.includes(`</${name}`)))
}

function attachmentName(name: string, attributes: Attributes): string | undefined {
  if (name === 'img')
    return visible(attributes.alt) || visible(lastSegment(attributes.src)) || 'image'
  if (!ATTACHMENTS.has(name)) return undefined
  if (name !== 'figure') return visible(attributes.filename) || 'attachment'
  const json = attributes['data-trix-attachment']
  return json === undefined ? undefined : visible(filename(json)) || 'attachment'
}

function visible(name: string | undefined): string {
  return (name ?? '')
    .toWellFormed()
    .replace(/[\0-\x1f\x7f]/g, '')
    .trim()
}

function filename(json: string): string | undefined {
  try {
    const { filename } = JSON.parse(json)
    return typeof filename === 'string' ? filename : undefined
  } catch {
    return undefined
  }
}

function lastSegment(src: string | undefined): string | undefined {
  const url = parseUrl(src ?? '', 'https://relative.invalid')
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  const segment = url.pathname.split('/').at(-1)
  try {
    return decodeURIComponent(segment ?? '')
  } catch {
    return segment
  }
}

function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
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
  // A figure that attaches nothing is a block like another.
  return { name: name === 'figure' ? 'div' : name, attributes, children: [] }
}

/** As it was written, but for what browsers ignore in an address. */
function safeAddress(href: string | undefined): string | undefined {
  const address = (href ?? '').replace(/[\0-\x1f]/g, '').trim()
  const protocol = parseUrl(address)?.protocol ?? ''
  return /^(https?|mailto):$/.test(protocol) ? address : undefined
}

function serialise(nodes: readonly TextNode[]): string {
  let html = ''
  for (const node of nodes) {
    if (typeof node === 'string') {
      html += escapeText(node)
      continue
    }
    const { name, attributes, children } = node
    const pairs = Object.entries(attributes).map(
      ([key, value]) => ` ${key}="${escapeText(value ?? '')}"`,
    )
    html += `<${name}${pairs.join('')}>`
    if (!LEAVES.has(name)) html += `${serialise(children)}</${name}>`
  }
  return html
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (match) => ESCAPES[match] ?? match)
}

function escapeLines(text: string): string {
  return text.replace(/[&<>"]|\r\n?|\n/g, (match) => ESCAPES[match] ?? '<br>')
}
