import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHtml } from '../../src/domain/rich-text.ts'

const longWord = 'long '.repeat(500).trim()

const renderings: [html: string, plain: string | null, why: string][] = [
  ['', null, 'nothing'],
  [' \n\t <p> </p><br>', null, 'nothing but white space'],
  ['<p>&nbsp;</p>', null, 'a no-break space alone is white space too'],
  ['<ul><li></li></ul><blockquote></blockquote>', null, 'nothing to read in an empty list'],
  ['  a \n\t b  ', 'a b', 'white space collapses'],
  ['a <b> b </b> c', 'a b c', 'across elements too'],
  ['<p> a </p> <p> b </p>', 'a\n\nb', 'and is nothing at the ends of a line'],
  ['a<b>b</b>c', 'abc', 'inline elements separate nothing'],
  ['a&nbsp;&nbsp;b', 'a\u00a0\u00a0b', 'no-break spaces stay'],
  ['a\u2003\u2003b', 'a\u2003\u2003b', 'so do the other spaces of Unicode'],
  ['a<br>b<br/>c</br>d', 'a\nb\nc\nd', 'a line break'],
  ['a<br><br><br>b', 'a\n\n\nb', 'empty lines are kept'],
  ['<div>a<br></div><div><br></div><div>b</div>', 'a\n\nb', 'an empty line as editors write it'],
  ['<br><br>a<br><br>', 'a', 'no empty lines at the ends'],
  ['<div>a</div><div>b</div>c', 'a\nb\nc', 'a div is a line'],
  ['<h1>Title</h1><p>a</p><h2>b</h2>', 'Title\n\na\n\nb', 'headings stand apart, not in capitals'],
  ['<p>a</p><div><p>b</p></div><p></p><p>c</p>', 'a\n\nb\n\nc', 'one empty line, not more'],
  [longWord, longWord, 'lines are not wrapped'],
  [
    '&lt;b&gt; &amp;amp; &eacute; &#x1F680; &hellip;',
    '<b> &amp; é 🚀 …',
    'entities are decoded once',
  ],
  ['<pre>\n  a\n\tb  c\n\n</pre>d', '  a\n\tb  c\n\nd', 'preformatted text is kept'],
  ['<pre>a\r\nb&#13;c</pre>', 'a\nb\nc', 'with line breaks of one kind'],
  ['a<hr>b', 'a\n\n---\n\nb', 'a rule'],
  ['<ul><li>a</li> <li>b</li></ul>', '- a\n- b', 'a list'],
  ['<ol><li>a<li>b</ol>', '1. a\n2. b', 'a numbered list, end tags left out'],
  ['<ol start="9"><li>a</li><li>b</li></ol>', '9. a\n10. b', 'that begins elsewhere'],
  ['<p>a</p><ul><li>b</li></ul><p>c</p>', 'a\n\n- b\n\nc', 'stands apart'],
  ['<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>', '- a\n  - b\n    1. c\n- d', 'nested lists'],
  [
    '<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>',
    '- a\n  - b\n- c',
    'nested as some editors do',
  ],
  [
    '<ul><li><p>a</p></li><li><p>b</p></li></ul>',
    '- a\n- b',
    'items with a paragraph stay together',
  ],
  [
    '<ul><li><p>a</p><p>b<br>c</p></li></ul>',
    '- a\n\n  b\n  c',
    'further lines of an item are indented',
  ],
  ['<blockquote>a<br>b</blockquote>c', '> a\n> b\n\nc', 'a quotation'],
  ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n> \n> b', 'all of its lines begin alike'],
  ['<blockquote>a<blockquote>b</blockquote></blockquote>', '> a\n> \n> > b', 'a nested one'],
  ['<blockquote>a</blockquote><blockquote>b</blockquote>', '> a\n\n> b', 'two in a row'],
  ['<blockquote><ul><li>a<br>b</li></ul></blockquote>', '> - a\n>   b', 'a list in a quotation'],
  [
    'see <a href="https://x.example/a b">the plan</a>.',
    'see the plan (https://x.example/a b).',
    'a link',
  ],
  [
    '<a href="https://x.example">https://x.example</a>',
    'https://x.example',
    'that is its own text',
  ],
  [
    '<a href="https://x.example/خطة">https://x.example/خطة</a>',
    'https://x.example/خطة',
    'in Arabic',
  ],
  [
    '<a href="mailto:sara@x.example">sara@x.example</a>',
    'sara@x.example',
    'that is a mail address',
  ],
  ['<a href="MAILTO:sara@x.example">Sara</a>', 'Sara (sara@x.example)', 'to a person'],
  ['<a href="https://x.example">a </a>b', 'a (https://x.example) b', 'the space stays behind it'],
  ['<a href="https://x.example"> <b></b></a>', null, 'a link without text cannot be seen'],
  ['<a href="javascript:x">a</a>', 'a', 'an address that was dropped'],
  [
    '<table><tr><th>a</th><th>b</th></tr> <tr><td>1</td> <td>2</td></tr></table>',
    'a\tb\n1\t2',
    'a table',
  ],
  [
    'a<table><tbody><tr><td></td><td>b</td></tr></tbody></table>c',
    'a\n\n\tb\n\nc',
    'an empty cell counts',
  ],
  [
    '<table><tr><td><p>a</p><p>b</p><ul><li>c</ul></td><td>d<br>e</td></tr></table>',
    'a b c\td e',
    'a row is a line',
  ],
  ['<p dir="rtl">مرحبا <b>بالعالم</b></p><p>سطر</p>', 'مرحبا بالعالم\n\nسطر', 'Arabic'],
  [
    '<p>\u200fأ\u200e (1) \u2067ب\u2069 \u061c</p>',
    '\u200fأ\u200e (1) \u2067ب\u2069 \u061c',
    'bidi marks',
  ],
  ['<p>می\u200cخواهم</p>', 'می\u200cخواهم', 'the zero-width non-joiner'],
  ['<p>👩\u200d👩\u200d👧 👍🏽 🇸🇦</p>', '👩\u200d👩\u200d👧 👍🏽 🇸🇦', 'emoji with joiners'],
  ['<bdi>أحمد</bdi>: <bdo dir="rtl">abc</bdo>', 'أحمد: abc', 'isolated text'],
]

const corners: typeof renderings = [
  ['<section>a</section><dl><dt>b<dd>c</dl>d', 'a\nb\nc\nd', 'blocks of any kind are lines'],
  [
    'a<div><p>b</p></div>c',
    'a\n\nb\n\nc',
    'a paragraph in a div stands apart from what is around it',
  ],
  ['a<p></p>b<div></div>c', 'a\n\nb\nc', 'an empty block separates as well'],
  ['a<b>b<p>c</p>d<p>e</p>f</b>g', 'ab\n\nc\n\nd\n\ne\n\nfg', 'blocks in an inline element'],
  ['<b><p>a</p><div>b</div><div>c</div></b>d', 'a\n\nb\nc\nd', 'that stand apart or do not'],
  ['<p>a</p><br>b', 'a\n\n\nb', 'a line break behind a paragraph is another line'],
  ['<p>a<br><br></p>b', 'a\n\nb', 'an empty line at its end sets it apart already'],
  [
    '<pre>a  <b> b</b><p>c  d</p></pre>e  f',
    'a   b\n\nc  d\n\ne f',
    'preformatted in all of it only',
  ],
  [
    '<pre>\n\na</pre><pre></pre>',
    'a',
    'only one line break is no text, but no text begins with one',
  ],
  ['a<pre>\n\nb</pre>', 'a\n\n\nb', 'in the middle of a text it counts'],
  ['<li>a<br>b</li>', '- a\n  b', 'an item outside of a list'],
  ['<ul>a<li>b</li>c</ul>', 'a\n- b\nc', 'text in a list outside of its items'],
  ['<ol><li></li><li>b</li></ol>', '2. b', 'an empty item counts'],
  ['<ol><li>a</li>b<li>c</li></ol>', '1. a\nb\n2. c', 'what is no item does not'],
  ['<ul><li><br>a</li></ul>', '- \n  a', 'an item that begins with an empty line'],
  ['<ul><li><br></li></ul>', null, 'a marker alone is nothing to read'],
  ['<ul><li>a</li></ul><ul><li>b</li></ul>', '- a\n\n- b', 'two lists in a row'],
  ['<ul><li>a<p>b</p><ol><li>c</ol>d</li></ul>', '- a\n\n  b\n\n  1. c\n  d', 'a list in an item'],
  ['<ul><li>a<p>b</p></li><li>c</li></ul>', '- a\n\n  b\n- c', 'items follow each other closely'],
  ['<ul><li><blockquote>a<p>b</blockquote></ul>', '- > a\n  > \n  > b', 'a quotation in a list'],
  ['<blockquote><p>a</p></blockquote><div>b</div>', '> a\n\nb', 'a quotation stands apart'],
  [
    '<a href="https://x.example">a<br></a>b',
    'a (https://x.example)\nb',
    'an address is on its line',
  ],
  ['<a href="https://x.example"><p>a</p> </a>b', 'a (https://x.example)\n\nb', 'in its paragraph'],
  ['<a href="https://x.example">a<hr></a>', 'a (https://x.example)\n\n---', 'behind the last text'],
  ['<a href="https://x.example"> https://x.example </a>', 'https://x.example', 'white space aside'],
  ['<a href="mailto:a@x.example">mailto:a@x.example</a>', 'mailto:a@x.example', 'written in full'],
  [
    '<a href="https://x.example">1<a href="https://y.example">2</a>',
    '1 (https://x.example)2 (https://y.example)',
    'links do not nest',
  ],
  [
    '<table><tr><td>a <b>b</b></td>c<td>d</td></tr></table>',
    'a b\tc\td',
    'text beside the cells is one',
  ],
  ['<table><tr><td></td><td></td></tr><tr></tr></table>a', 'a', 'no line of an empty row'],
  [
    '<table><tr><td>a<td><blockquote>b</blockquote><td><a href=https:x>c</a></table>',
    'a\tb\tc (https:x)',
    'a quotation and a link in a row',
  ],
  ['<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>', 'a b c\td', 'a table in a cell'],
  ['<table><tr><td><pre>a  b\nc</pre><td>d</table>', 'a b c\td', 'preformatted text in a cell'],
  [
    '<table><tr><td><p>a<td>b<tr><th>c<td>d<tbody><tr><td>e<th>f</table>',
    'a\tb\nc\td\ne\tf',
    'end tags left out',
  ],
  ['<table><td>a<td>b</table>', 'a\nb', 'cells without a row are lines'],
  ['a<table><tr></tr><tr><td>b</table>', 'a\n\nb', 'nor between others'],
  ['<a href="https:x">a<b>b</b>c</a>', 'abc (https:x)', 'an address behind all of the text'],
  ['<hr>', '---', 'a rule alone can be read'],
]

for (const [html, plain, why] of [...renderings, ...corners]) {
  test(`${JSON.stringify(html).slice(0, 80)} reads well: ${why}`, () => {
    const text = fromHtml(html)
    assert.equal(text.plain, plain)
    assert.deepEqual(text.attachments, [])
  })
}
