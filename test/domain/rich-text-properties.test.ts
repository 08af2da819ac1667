import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { fromHtml, fromPlain } from '../../src/domain/rich-text.ts'

const blocks = 'p div ul ol li blockquote pre h1 h2 h3 h4 h5 h6 table thead tbody tr th td'.split(
  ' ',
)
const inlines = 'strong b em i u s del a code bdi bdo br hr'.split(' ')
const allowed = new Set([...blocks, ...inlines])
const forbidden =
  'script style textarea option noscript template svg math iframe object title figure img xmp ' +
  'bc-attachment action-text-attachment mtext mglyph foreignObject select form span section dd plaintext'

const unicode = fc.string({ unit: 'binary', maxLength: 12 })
const tag = fc.constantFrom(...blocks, ...inlines, ...forbidden.split(' '))
const attribute = fc.oneof(
  fc.constantFrom(
    ' href="https://x.example/?a&amp;b"',
    " href='javascript:alert(1)'",
    ' href=&#106;avascript:alert(1)',
    ' onclick="alert(1)"',
    ' dir=rtl',
    ' start=3',
    ' alt="<b>"',
    ' data-trix-attachment=\'{"filename":"x"}\'',
    ' title="</noscript>"',
    ' style',
    '/',
  ),
  unicode.map((text) => ` href="https://x.example/${text}"`),
  unicode.map((text) => ` ${text}`),
)
const startTag = fc
  .tuple(tag, fc.array(attribute, { maxLength: 3 }))
  .map(([name, attributes]) => `<${name}${attributes.join('')}>`)
const endTag = tag.map((name) => `</${name}>`)
const oddity = fc.constantFrom(
  ...['<', '>', '&', '"', '<!--', '-->', '<![CDATA[', ']]>', '</', '<?', '&#13;', '&#0;', '&lt;'],
  ...['\r\n', '\n', ' ', '\t', '\0', '\u00a0', '\u200f', 'مرحبا', '👩\u200d👧', 'a', '</p', '<b'],
)
const soup = fc
  .array(fc.oneof(startTag, startTag, endTag, oddity, unicode), { maxLength: 40, size: 'max' })
  .map((pieces) => pieces.join(''))
const anyHtml = fc.oneof({ weight: 4, arbitrary: soup }, { weight: 1, arbitrary: unicode })

test('whatever is sent, a browser finds only what is on the list', () => {
  fc.assert(
    fc.property(anyHtml, (dirty) => {
      for (const element of elementsOf(fromHtml(dirty).html)) {
        assert.ok(allowed.has(element.tagName), element.tagName)
        for (const { name, value } of element.attrs) assertAllowed(element.tagName, name, value)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('what was made safe once stays as it is', () => {
  fc.assert(
    fc.property(anyHtml, (dirty) => {
      const once = fromHtml(dirty)
      assert.deepEqual(fromHtml(once.html), { ...once, attachments: [] })
    }),
    { numRuns: 2_000 },
  )
})

test('the plain rendering has no empty lines at its ends, and is null rather than blank', () => {
  fc.assert(
    fc.property(anyHtml, (dirty) => {
      const { plain } = fromHtml(dirty)
      if (plain === null) return
      const lines = plain.split('\n')
      assert.notEqual(lines.at(0)?.trim(), '')
      assert.notEqual(lines.at(-1)?.trim(), '')
    }),
    { numRuns: 2_000 },
  )
})

test('plain text comes back from its own HTML, but for white space', () => {
  const text = fc
    .array(fc.oneof(unicode, oddity, startTag, fc.constantFrom('\r', '\n', '\r\n', '  ')))
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (sent) => {
      const { html, plain } = fromPlain(sent)
      assert.equal(plain, sent)
      const back = fromHtml(html)
      assert.equal(back.plain, collapsed(sent))
      assert.deepEqual(back.attachments, [])
    }),
    { numRuns: 2_000 },
  )
})

function elementsOf(html: string): DefaultTreeAdapterTypes.Element[] {
  const found: DefaultTreeAdapterTypes.Element[] = []
  const parents: DefaultTreeAdapterTypes.ParentNode[] = [parseFragment(html)]
  for (const parent of parents) {
    for (const node of parent.childNodes) {
      assert.notEqual(node.nodeName, '#comment')
      if (!('tagName' in node)) continue
      found.push(node)
      parents.push(node)
    }
  }
  return found
}

function assertAllowed(tagName: string, name: string, value: string): void {
  if (name === 'dir') {
    assert.ok(tagName === 'bdo' || blocks.includes(tagName))
    assert.match(value, /^(ltr|rtl|auto)$/)
  } else if (name === 'start') {
    assert.equal(tagName, 'ol')
    assert.match(value, /^-?\d+$/)
  } else {
    assert.equal(tagName, 'a')
    if (name === 'href') assert.match(new URL(value).protocol, /^(https?|mailto):$/)
    else assert.deepEqual([name, value], ['rel', 'noopener noreferrer nofollow'])
  }
}

/** The same text as browsers show it. */
function collapsed(text: string): string | null {
  const lines = text
    .toWellFormed()
    .split(/\r\n|\r|\n/)
    .map((line) =>
      line
        .replaceAll('\0', '')
        .replace(/[ \t\f]+/g, ' ')
        .replace(/^ | $/g, ''),
    )
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return first === -1 ? null : lines.slice(first, last + 1).join('\n')
}
