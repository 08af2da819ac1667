export type TextNode = TextElement | string

export interface TextElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly children: TextNode[]
}

/** As a person would type it; null when there is nothing to read. */
export function renderPlain(nodes: readonly TextNode[]): string | null {
  const writer = new PlainWriter()
  write(nodes, writer)
  return writer.result()
}

function write(nodes: readonly TextNode[], to: PlainWriter): void {
  for (const node of nodes) {
    if (typeof node === 'string') to.text(node)
    else writeElement(node, to)
  }
}

function writeElement(element: TextElement, to: PlainWriter): void {
  const { name, children } = element
  const content = () => write(children, to)
  if (name === 'br') to.newLine()
  else if (name === 'hr') to.paragraph(() => to.text('---'))
  else if (name === 'a') writeLink(element, to)
  else if (name === 'ul' || name === 'ol') to.list(() => writeList(element, to))
  else if (name === 'li') to.inset('- ', '  ', content)
  else if (name === 'blockquote') to.paragraph(() => to.inset('> ', '> ', content))
  else if (name === 'pre') to.paragraph(() => to.verbatim(() => writePreformatted(children, to)))
  else if (name === 'tr') to.row(content)
  else if (name === 'td' || name === 'th') to.cell(content)
  else if (/^(div|thead|tbody)$/.test(name)) to.line(content)
  else if (/^(p|h[1-6]|table)$/.test(name)) to.paragraph(content)
  else content()
}

function writeLink({ attributes, children }: TextElement, to: PlainWriter): void {
  write(children, to)
  const address = attributes.href?.replace(/^mailto:/i, '')
  const text = collapse(textOf(children)).trim()
  if (address && text !== '' && text !== address && text !== attributes.href) {
    to.aside(` (${address})`)
  }
}

function textOf(nodes: readonly TextNode[]): string {
  let text = ''
  for (const node of nodes) text += typeof node === 'string' ? node : textOf(node.children)
  return text
}

function writeList({ name, attributes, children }: TextElement, to: PlainWriter): void {
  let number = Number(attributes.start ?? 1)
  for (const child of children) {
    const item = typeof child === 'string' ? undefined : child
    if (item?.name === 'li') {
      const marker = name === 'ol' ? `${number++}. ` : '- '
      to.inset(marker, '  ', () => write(item.children, to))
    } else if (item?.name === 'ul' || item?.name === 'ol') {
      to.inset('  ', '  ', () => writeElement(item, to))
    } else write([child], to)
  }
}

/** The line break right behind <pre> is not part of the text. */
function writePreformatted([first, ...others]: readonly TextNode[], to: PlainWriter): void {
  if (first === undefined) return
  write([typeof first === 'string' ? first.replace(/^\n/, '') : first, ...others], to)
}

/** What browsers collapse: neither the no-break space nor any other space of Unicode is among it. */
function collapse(text: string): string {
  return text.replace(/[ \t\n\f\r]+/g, ' ')
}

class PlainWriter {
  readonly #lines: string[] = []
  #line = ''
  #isLineStart = true
  #isSpaceDue = false
  #isVerbatim = false
  #isListed = false
  #hasText = false

  /** What lines begin with here: all, empty ones, the next one when it differs. */
  #prefix = ''
  #emptyPrefix = ''
  #lead: string | undefined

  /** Whether an empty line is due before the next, and what it begins with. */
  #isGapDue = false
  #gapPrefix = ''
  #isLastEmpty = true

  #isInRow = false
  #isInCells = false

  text(text: string): void {
    if (this.#isVerbatim) this.#appendLines(text)
    else this.#appendCollapsed(text)
  }

  /** Goes before the space at the end of what was written. */
  aside(text: string): void {
    const isSpaceDue = this.#isSpaceDue
    this.#isSpaceDue = false
    this.#append(this.#isLineStart ? text.trimStart() : text)
    this.#isSpaceDue = isSpaceDue
  }

  newLine(): void {
    if (this.#isInRow) {
      this.#isSpaceDue = true
      return
    }
    if (this.#isGapDue && !this.#isLastEmpty) this.#lines.push(this.#gapPrefix)
    this.#isLastEmpty = this.#line === ''
    this.#lines.push(
      (this.#lead ?? (this.#isLastEmpty ? this.#emptyPrefix : this.#prefix)) + this.#line,
    )
    this.#line = ''
    this.#lead = undefined
    this.#isLineStart = true
    this.#isSpaceDue = false
    this.#isGapDue = false
    this.#isInCells = false
    this.#gapPrefix = this.#emptyPrefix
  }

  line(content: () => void): void {
    this.#endLine()
    content()
    this.#endLine()
  }

  paragraph(content: () => void): void {
    this.#gap()
    content()
    this.#gap()
  }

  list(content: () => void): void {
    if (this.#isListed) {
      this.line(content)
      return
    }
    this.#isListed = true
    this.paragraph(content)
    this.#isListed = false
  }

  verbatim(content: () => void): void {
    const outer = this.#isVerbatim
    this.#isVerbatim = true
    content()
    this.#isVerbatim = outer
  }

  /** Lines that begin with a prefix; the first of them with another one. */
  inset(first: string, others: string, content: () => void): void {
    if (this.#isInRow) {
      this.line(content)
      return
    }
    this.#endLine()
    const [prefix, emptyPrefix, lead] = [this.#prefix, this.#emptyPrefix, this.#lead]
    const before = this.#lines.length
    this.#lead = (lead ?? prefix) + first
    this.#prefix = prefix + others
    if (others.trim() !== '') this.#emptyPrefix = this.#prefix
    content()
    this.#endLine()
    const isEmpty = this.#lines.length === before
    this.#lead = isEmpty ? lead : undefined
    this.#prefix = prefix
    this.#emptyPrefix = emptyPrefix
    if (this.#gapPrefix.length > emptyPrefix.length) this.#gapPrefix = emptyPrefix
    if (!isEmpty) this.#isGapDue = false
  }

  /** One line, whatever is in it. */
  row(content: () => void): void {
    this.#endLine()
    const [isInRow, isInCells] = [this.#isInRow, this.#isInCells]
    this.#isInRow = true
    this.#isInCells = false
    content()
    this.#isInRow = isInRow
    this.#isInCells = isInCells
    this.#endLine()
  }

  cell(content: () => void): void {
    if (this.#isInCells) {
      this.#line += '\t'
      this.#isLineStart = true
      this.#isSpaceDue = false
    }
    this.#isInCells = true
    content()
  }

  result(): string | null {
    this.#endLine()
    if (!this.#hasText) return null
    const isEmpty = (line: string) => line.trim() === ''
    const first = this.#lines.findIndex((line) => !isEmpty(line))
    const last = this.#lines.findLastIndex((line) => !isEmpty(line))
    return this.#lines.slice(first, last + 1).join('\n')
  }

  #appendCollapsed(text: string): void {
    const collapsed = collapse(text)
    if (collapsed.startsWith(' ')) this.#isSpaceDue = true
    const start = collapsed.startsWith(' ') ? 1 : 0
    const end = collapsed.length - (collapsed.endsWith(' ') ? 1 : 0)
    if (end <= start) return
    this.#append(collapsed.slice(start, end))
    this.#isSpaceDue = collapsed.endsWith(' ')
  }

  #appendLines(text: string): void {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) this.newLine()
      if (line !== '') this.#append(line)
    }
  }

  #append(text: string): void {
    if (this.#isSpaceDue && !this.#isLineStart) this.#line += ' '
    this.#line += text
    this.#isSpaceDue = false
    this.#isLineStart = false
    this.#hasText ||= text.trim() !== ''
  }

  #endLine(): void {
    if (this.#isInRow || this.#line !== '') this.newLine()
  }

  #gap(): void {
    this.#endLine()
    // With a lead, nothing is written yet of what would be set apart.
    if (!this.#isInRow && this.#lead === undefined) this.#isGapDue = true
  }
}
