import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHtml } from '../../src/domain/rich-text.ts'

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
    '<div><div>cap</div></div>',
    'cap',
    [],
    'a figure of text is text',
  ],
  [
    '<figure><img alt="A"><figcaption>cap</figcaption></figure>',
    '<div><div>cap</div></div>',
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
  [
    '<bc-attachment filename="x"/>after<bc-attachment filename="y"></bc-attachment>z',
    'afterz',
    'afterz',
    ['x', 'y'],
    'a tag that closes itself',
  ],
  [
    '<bc-attachment filename=x>a<bc-attachment filename=y></bc-attachment>b</bc-attachment>c',
    'abc',
    'abc',
    ['x', 'y'],
    'attachments do not nest',
  ],
  [
    '<bc-attachment filename=x><p>a</p><bc-attachment filename=y>cap</bc-attachment>b',
    '<p>a</p>b',
    'a\n\nb',
    ['x', 'y'],
    'an unclosed one takes no block with it',
  ],
  ['<BC-Attachment filename=x>cap</BC-ATTACHMENT>a', 'a', 'a', ['x'], 'an end tag in any case'],
  [
    `<p>a${trix('{"filename":"x.pdf"}')}</figure>b</p>`,
    '<p>ab</p>',
    'ab',
    ['x.pdf'],
    'in the midst of a paragraph',
  ],
  ['<bc-attachment filename=" x\u0001\ny ">', '', null, ['xy'], 'a name has no control characters'],
  [
    '<img src="ftp://x.example/a.png"><img src="http://[/b.png"><img src="HTTP://x.example/c">',
    '',
    null,
    ['image', 'image', 'c'],
    'addresses of the web only',
  ],
]

for (const [dirty, html, plain, attachments, why] of attached) {
  test(`${JSON.stringify(dirty)} gives its attachments: ${why}`, () => {
    assert.deepEqual(fromHtml(dirty), { html, plain, attachments })
  })
}
