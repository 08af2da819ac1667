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

for (const [html, plain, why] of renderings) {
  test(`${JSON.stringify(html).slice(0, 80)} reads well: ${why}`, () => {
    const text = fromHtml(html)
    assert.equal(text.plain, plain)
    assert.deepEqual(text.attachments, [])
  })
}

const trix = (json: string) => `<figure data-trix-attachment='${json}'><img src="p.png">`

const attached: [
  dirty: string,
  html: string,
  plain: string | null,
  names: string[],
  why: string,
][] = [
  [
    `a ${trix('{"filename":"x.pdf"}')}<figcaption>cap</figcaption></figure> b`,
    'a  b',
    'a b',
    ['x.pdf'],
    'a figure leaves with its caption',
  ],
  [
    `${trix('{&quot;filename&quot;:&quot;خطة.pdf&quot;}')}</figure>`,
    '',
    null,
    ['خطة.pdf'],
    'escaped JSON',
  ],
  [`${trix('{"filename":')}</figure>a`, 'a', 'a', ['attachment'], 'malformed JSON'],
  [
    `${trix('null')}</figure>${trix('{"filename":7}')}</figure>`,
    '',
    null,
    ['attachment', 'attachment'],
    'JSON without a name',
  ],
  [
    `${trix('{"filename":"\\ud800\\u0000x"}')}</figure>`,
    '',
    null,
    ['\ufffdx'],
    'a name is well formed',
  ],
  [
    `${trix('{"filename":"x.pdf"}')} rest`,
    ' rest',
    'rest',
    ['x.pdf', 'p.png'],
    'an unclosed one does not swallow the rest',
  ],
  [
    '<figure><figcaption>cap</figcaption></figure>',
    '<div>cap</div>',
    'cap',
    [],
    'a figure of text is text',
  ],
  [
    '<figure><img alt="A"><figcaption>cap</figcaption></figure>',
    '<div>cap</div>',
    'cap',
    ['A'],
    'an image in a figure',
  ],
  [
    'a<action-text-attachment filename="x.pdf" sgid="s"></action-text-attachment>b',
    'ab',
    'ab',
    ['x.pdf'],
    'Action Text',
  ],
  [
    '<action-text-attachment filename="x.pdf">a',
    'a',
    'a',
    ['x.pdf'],
    'Action Text without its end tag',
  ],
  [
    '<bc-attachment filename=y.png><figure><img src=z.png>c</figure></bc-attachment>d',
    'd',
    'd',
    ['y.png'],
    'counted once',
  ],
  ['<bc-attachment></bc-attachment>', '', null, ['attachment'], 'without a name'],
  ['<img alt=" A photo " src="x.png">', '', null, ['A photo'], 'an image by its text'],
  [
    '<img alt="" src="https://x.example/a/b%20%D8%AE.png?c=d/e#f">',
    '',
    null,
    ['b خ.png'],
    'or by its address',
  ],
  [
    '<img src="a%zz.png"><img src="/dir/">',
    '',
    null,
    ['a%zz.png', 'image'],
    'as far as there is a name',
  ],
  [
    '<img src="data:image/png;base64,AAAA/BBBB"><img>',
    '',
    null,
    ['image', 'image'],
    'no name at all',
  ],
  [
    '<p>a<img alt=1></p><img alt=2>b<img alt=1>',
    '<p>a</p>b',
    'a\n\nb',
    ['1', '2', '1'],
    'in order, duplicates kept',
  ],
  [
    '<svg><img alt=x></svg><noscript><img alt=y></noscript>',
    '',
    null,
    [],
    'what is dropped attaches nothing',
  ],
  ['<ul><li><img alt=x></li></ul>', '<ul><li></li></ul>', null, ['x'], 'nothing but an attachment'],
]

for (const [dirty, html, plain, attachments, why] of attached) {
  test(`${JSON.stringify(dirty)} gives its attachments: ${why}`, () => {
    assert.deepEqual(fromHtml(dirty), { html, plain, attachments })
  })
}
