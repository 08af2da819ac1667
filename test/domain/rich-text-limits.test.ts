import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHtml } from '../../src/domain/rich-text.ts'

const LIMIT = 65_536
const MEGABYTE = 1_048_576

const cut: [html: string, plain: string, why: string][] = [
  ['a'.repeat(LIMIT), 'a'.repeat(LIMIT), 'as long as may be'],
  ['a'.repeat(LIMIT + 1), 'a'.repeat(LIMIT), 'longer by one'],
  ['👩'.repeat(LIMIT + 1), '👩'.repeat(LIMIT), 'code points count, and stay whole'],
  [`a${'👩'.repeat(LIMIT)}`, `a${'👩'.repeat(LIMIT - 1)}`, 'at an odd place too'],
  [`${'a'.repeat(LIMIT - 1)}<br>b`, 'a'.repeat(LIMIT - 1), 'the cut leaves no empty line'],
  ['<p>a</p>'.repeat(22_000), `${'a\n\n'.repeat(21_845)}a`, 'empty lines count'],
  ['a<br>'.repeat(33_000), 'a\n'.repeat(LIMIT / 2).trim(), 'many lines'],
  [`<ul>${'<li>a'.repeat(17_000)}`, '- a\n'.repeat(LIMIT / 4).trim(), 'many items'],
  [`<table><tr>${'<td>a'.repeat(33_000)}`, 'a\t'.repeat(LIMIT / 2).trim(), 'many cells'],
  [`${'<br>'.repeat(2 * LIMIT)}a`, 'a', 'lines that are not in the text do not count'],
  [`<pre>${' \n'.repeat(2 * LIMIT)}a<br>b`, 'a\nb', 'nor do those of white space'],
  [`${'<div><br></div>'.repeat(LIMIT)}a`, 'a', 'nor do empty blocks'],
  [`<ul>${'<li>'.repeat(LIMIT)}<li>a`, '- a', 'nor do empty items'],
  [
    `a${'<br>'.repeat(LIMIT - 2)}b<br>c`,
    `a${'\n'.repeat(LIMIT - 2)}b`,
    'empty lines in the text count',
  ],
  [
    `${'<br>'.repeat(LIMIT)}${'a<br>'.repeat(33_000)}`,
    'a\n'.repeat(LIMIT / 2).trim(),
    'from the first text on',
  ],
]

for (const [html, plain, why] of cut) {
  test(`plain text ends at its limit: ${html.slice(0, 20)}…, ${why}`, () => {
    assert.ok(fromHtml(html).plain === plain)
  })
}

const quotes = (levels: number) => '<blockquote>'.repeat(levels)

const nested: [html: string, plain: string, why: string][] = [
  [
    `${quotes(8)}<ul><li>a<p>b</p><li>c</ul>`,
    ['a', '', 'b', 'c'].map((line) => quoted(8, line)).join('\n'),
    'items further inside follow each other closely',
  ],
  [`${quotes(8)}a`, `${'> '.repeat(8)}a`, 'eight levels of quotation'],
  [`${quotes(60)}a<br>b`, `${'> '.repeat(8)}a\n${'> '.repeat(8)}b`, 'deeper ones look alike'],
  [`${'<ul><li>'.repeat(8)}a<br>b`, `${'- '.repeat(8)}a\n${'  '.repeat(8)}b`, 'eight lists'],
  [`${'<ul><li>'.repeat(20)}a<br>b`, `${'- '.repeat(8)}a\n${'  '.repeat(8)}b`, 'deeper ones'],
  [`${quotes(5)}<ul><li><ul><li>${quotes(2)}a`, `${'> '.repeat(5)}- - > a`, 'of both kinds'],
  [
    `${quotes(9)}a</blockquote></blockquote>b`,
    `${quoted(8, 'a')}\n${quoted(7, '')}\n${quoted(7, 'b')}`,
    'and end',
  ],
]

for (const [html, plain, why] of nested) {
  test(`lines begin with at most eight prefixes: ${why}`, () => {
    assert.equal(fromHtml(html).plain, plain)
  })
}

test('elements deeper than sixty-four are flat, and lose none of their text', () => {
  const { html, plain } = fromHtml(`${'<div>'.repeat(1_000)}<b>a</b><script>x</script><br>b`)
  assert.equal(html, `${'<div>'.repeat(64)}a<br>b${'</div>'.repeat(64)}`)
  assert.equal(plain, 'a\nb')
})

test('at the full depth, end tags still end elements and make none', () => {
  const html = `${'<div>'.repeat(64)}a${'</div>'.repeat(64)}b`
  assert.equal(fromHtml(html).html, html)
  assert.equal(fromHtml(html.replace('a', 'a</p>')).html, html)
})

test('what is dropped ends where it ends, however deep it is', () => {
  const svgs = `${'<svg>'.repeat(1_000)}x${'</svg>'.repeat(999)}y</svg>`
  assert.equal(fromHtml(`${'<div>'.repeat(100)}a${svgs}b`).plain, 'ab')
})

test('what is sent is read up to its limit', () => {
  const { html } = fromHtml(`${'<b>'.padEnd(MEGABYTE, 'a')}b</b>c`)
  assert.ok(html === `${'<b>'.padEnd(MEGABYTE, 'a')}</b>`)
})

test('at most a hundred attachments are named, each by at most 255 code points', () => {
  const name = '👩'.repeat(256)
  const { attachments } = fromHtml(`<img alt="${name}">`.repeat(101))
  assert.deepEqual(
    attachments,
    Array.from({ length: 100 }, () => '👩'.repeat(255)),
  )
})

test('a text goes on behind more attachments than are named', () => {
  assert.equal(fromHtml(`${'<bc-attachment>x</bc-attachment>'.repeat(101)}a`).html, 'a')
})

const manyAttributes = Array.from({ length: 200_000 }, (_, i) => `x${i.toString(36)}`).join(' ')

const hostile: [dirty: string, why: string][] = [
  [megabyte('<svg>'), 'nested elements that are dropped'],
  [megabyte('<svg><p>'), 'foreign elements that blocks end'],
  [`${megabyte('<svg>').slice(0, MEGABYTE / 2)}${megabyte('<p>')}`, 'many of them, many times'],
  [`${megabyte('<svg>').slice(0, MEGABYTE / 2)}${megabyte('</math>')}`, 'end tags of others'],
  [
    `${megabyte('<div>').slice(0, MEGABYTE / 2)}${megabyte('</b>')}`,
    'end tags of nothing, far down',
  ],
  [`${quotes(60)}<pre>${megabyte('\n')}`, 'quoted lines'],
  [`${'<b>'.repeat(63)}${megabyte('<p>')}`, 'blocks in nested inline elements'],
  [`${'<a href=https:x>'.repeat(63)}${megabyte('a b ')}`, 'text in nested links'],
  [`${'<table><tr><td>'.repeat(21)}${megabyte('a ')}`, 'text in nested tables'],
  [megabyte('<img>'), 'attachments'],
  [megabyte('<'), 'openings of no tag'],
  [megabyte('</p>'), 'end tags that make an element'],
  [`<p ${manyAttributes}>`.slice(0, MEGABYTE - 8).concat('>a</p>'), 'attributes'],
  [`<a href="https://x.example/${megabyte(' ').slice(99)}b">a</a>`, 'spaces in an address'],
  [`a${megabyte(' ').slice(99)}b`, 'spaces in a text'],
  [`<figure data-trix-attachment="${megabyte('[').slice(99)}"></figure>`, 'nested JSON'],
]

for (const [dirty, why] of hostile) {
  test(`a megabyte of hostile input gives no more than the limits: ${why}`, () => {
    const { html, plain, attachments } = fromHtml(dirty)
    assert.ok(html.length <= 7 * MEGABYTE)
    assert.ok([...(plain ?? '')].length <= LIMIT)
    assert.ok(attachments.length <= 100)
  })
}

function megabyte(piece: string): string {
  return piece.repeat(Math.ceil(MEGABYTE / piece.length)).slice(0, MEGABYTE)
}

function quoted(levels: number, text: string): string {
  return '> '.repeat(levels) + text
}
