import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block, Run } from '../../src/pdf/document.ts'
import { readMarkdown } from '../../src/pdf/markdown.ts'
import { PdfRefusal } from '../../src/pdf/refusal.ts'

test('a heading that the text begins with is the title, before the name of the file', () => {
  assert.equal(readMarkdown('# The *real* `title`\n\n# Other', 'file').title, 'The real title')
  assert.equal(readMarkdown('Text\n\n# Later', 'file').title, 'file')
  assert.equal(readMarkdown('## Second', 'file').title, 'file')
  assert.equal(readMarkdown('#', 'file').title, 'file')
})

test('every block has the direction of its own first letter', () => {
  const { dir, blocks } = readMarkdown('# English\n\nعربي\n\nEnglish\n\n> عربي\n\n- عربي', '')
  assert.equal(dir, 'ltr')
  assert.deepEqual(
    blocks.map((block) => 'dir' in block && block.dir),
    ['ltr', 'rtl', 'ltr', 'rtl', 'rtl'],
  )
})

test('a block without letters, or of code alone, has the direction of what is around it', () => {
  assert.deepEqual(directions('عربي\n\n2026'), ['rtl', 'rtl'])
  assert.deepEqual(directions('عربي\n\n`code`'), ['rtl', 'rtl'])
  assert.deepEqual(directions('2026\n\nEnglish'), ['ltr', 'ltr'])
  assert.deepEqual(directions('`npm` عربي'), ['rtl'])
})

test('a box of a task list is no letter of the text', () => {
  const [list] = readMarkdown('- [x] عربي\n- [ ] English\n- [y] no', '').blocks
  assert.ok(list?.kind === 'list')
  assert.equal(list.dir, 'rtl')
  assert.deepEqual(
    list.items.map(({ marker, blocks }) => [marker, wordsIn(blocks)]),
    [
      ['☑', 'عربي'],
      ['☐', 'English'],
      ['•', '[y] no'],
    ],
  )
})

test('an ordered list goes on from its first number, with the sign it was written with', () => {
  const [list] = readMarkdown('7) a\n1) b\n1) [ ] c', '').blocks
  assert.ok(list?.kind === 'list')
  assert.deepEqual(
    list.items.map(({ marker }) => marker),
    ['7)', '8)', '9) ☐'],
  )
})

test('http, https and mailto can be clicked; what else is linked is text', () => {
  const urls = (markdown: string) =>
    runs(markdown).flatMap((run) => ('text' in run ? [[run.text, run.url]] : []))
  assert.deepEqual(urls('[a](http://x.y)'), [['a', 'http://x.y']])
  assert.deepEqual(urls('[a](HTTPS://x.y)'), [['a', 'HTTPS://x.y']])
  assert.deepEqual(urls('<mailto:a@b.c>'), [['mailto:a@b.c', 'mailto:a@b.c']])
  for (const other of ['javascript:alert(1)', 'file:///etc/passwd', 'ftp://x.y', './x', '#x', '']) {
    assert.deepEqual(urls(`[a](${other})`), [['a', undefined]], other)
  }
})

test('an image is its alternative text, and raw HTML is text', () => {
  assert.equal(wordsOf('![a *b* c](x.png)'), 'a b c')
  assert.equal(wordsOf('[![alt](x.png)](http://x.y)'), 'alt')
  assert.equal(wordsOf('a <b onclick="x">b</b> <!-- c -->'), 'a <b onclick="x">b</b> <!-- c -->')
  assert.equal(wordsOf('<script>\nalert(1)\n</script>'), '<script> alert(1) </script>')
})

test('nested emphasis is one flat row', () => {
  assert.deepEqual(runs('**a *b ~~c~~***'), [
    { strong: true, text: 'a ' },
    { strong: true, emphasis: true, text: 'b ' },
    { strong: true, emphasis: true, strike: true, text: 'c' },
  ])
})

test('a table has the sides that were asked for, and the direction of its first letter', () => {
  const [table] = readMarkdown('|1|عربي|c|d|\n|-|:-|:-:|-:|\n|a|b|c|4|', '').blocks
  assert.ok(table?.kind === 'table')
  assert.equal(table.dir, 'rtl')
  assert.deepEqual(table.columns, ['start', 'left', 'center', 'right'])
  const [row = []] = table.rows
  assert.deepEqual(
    row.map(({ dir }) => dir),
    ['ltr', 'ltr', 'ltr', 'rtl'],
  )
})

test('tabs and spaces of code stay', () => {
  assert.deepEqual(runs('```\n\ta  b\n  c\td\n```'), [
    { text: '    a  b' },
    { break: true },
    { text: '  c d' },
  ])
})

test('a word that is longer than a line comes in pieces that are the word', () => {
  for (const word of ['x'.repeat(500), 'é'.normalize('NFD').repeat(300), '👍🏽'.repeat(100)]) {
    const [run] = runs(`before ${word} after`)
    assert.ok(run && 'text' in run && Array.isArray(run.text))
    assert.equal(run.text.join(''), `before ${word} after`)
    assert.ok(run.text.every((piece) => piece.isWellFormed() && !/^\p{M}/u.test(piece)))
  }
})

test('characters that have no shape are left out, and lone surrogates are replaced', () => {
  assert.equal(wordsOf('a\x01b\x7f\x9b\ufeff \ud800c'), 'ab \ufffdc')
})

test('too deep, too wide and too much are refused in a sentence that goes on from the field', () => {
  const refused: [markdown: string, message: RegExp][] = [
    [`${'>'.repeat(13)} a`, /^nests lists and quotes more than 12 deep/],
    ['- '.repeat(13).concat('a'), /^nests/],
    [`${'|a'.repeat(41)}|\n${'|-'.repeat(41)}|`, /^has a table of more than 40 columns/],
    ['a\n\n'.repeat(50_000), /^has too many parts/],
    ['*a* '.repeat(50_000), /^has too many parts/],
  ]
  for (const [markdown, message] of refused) {
    assert.throws(
      () => readMarkdown(markdown, ''),
      (error) => error instanceof PdfRefusal && message.test(error.message),
    )
  }
  assert.ok(readMarkdown(`${'>'.repeat(12)} a`, ''))
})

function directions(markdown: string): unknown[] {
  return readMarkdown(markdown, '').blocks.map((block) => 'dir' in block && block.dir)
}

function runs(markdown: string): Run[] {
  const [block] = readMarkdown(markdown, '').blocks
  return block && 'runs' in block ? block.runs : []
}

function wordsOf(markdown: string): string {
  return wordsIn(readMarkdown(markdown, '').blocks)
}

function wordsIn(blocks: Block[]): string {
  return blocks
    .flatMap((block) => ('runs' in block ? block.runs : []))
    .map((run) => ('text' in run ? [run.text].flat().join('') : '\n'))
    .join('')
}
