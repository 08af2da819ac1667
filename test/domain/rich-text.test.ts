import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHtml, fromPlain } from '../../src/domain/rich-text.ts'

const REL = 'rel="noopener noreferrer nofollow"'

const plainTexts: [text: string, html: string, why: string][] = [
  ['', '', 'nothing stays nothing'],
  ['<b>bold</b>', '&lt;b&gt;bold&lt;/b&gt;', 'a tag in plain text is text'],
  ['a & b "c" \'d\'', "a &amp; b &quot;c&quot; 'd'", 'what HTML gives a meaning is escaped'],
  ['&lt;', '&amp;lt;', 'an entity in plain text is text'],
  ['a\nb\r\nc\rd\n\ne', 'a<br>b<br>c<br>d<br><br>e', 'a line break of any kind is one <br>'],
  ['  two  spaces\t', '  two  spaces\t', 'white space is kept'],
  ['مرحبا\u200f!', 'مرحبا\u200f!', 'marks are kept'],
]

for (const [text, html, why] of plainTexts) {
  test(`plain ${JSON.stringify(text)} is kept and escaped: ${why}`, () => {
    assert.deepEqual(fromPlain(text), { html, plain: text, attachments: [] })
  })
}

const hostile: [dirty: string, html: string, plain: string | null, why: string][] = [
  ['a<script>alert(1)</script>b', 'ab', 'ab', 'a script goes with its content'],
  ['<SCRIPT SRC=//x>x</sCrIpT >b', 'b', 'b', 'whatever its case'],
  ['<script>if (a </b> c) "</p>"</script>d', 'd', 'd', 'tags in a script are none'],
  ['a<script>alert(1)', 'a', 'a', 'an unclosed script lasts to the end'],
  ['<style>p{}</style><title>t</title>a', 'a', 'a', 'neither style nor title is text'],
  ['<textarea><b>x</textarea>a', 'a', 'a', 'nor is a field'],
  ['<select><option>x</option></select>a', 'a', 'a', 'nor an option'],
  ['<template><p>x</p></template>a', 'a', 'a', 'nor a template'],
  ['<iframe src="javascript:alert(1)">x</iframe>a', 'a', 'a', 'nor a frame'],
  ['<object data=x><p>y</p></object>a', 'a', 'a', 'nor an object'],
  ['<svg onload=alert(1)><circle/>x</svg>a', 'a', 'a', 'nor an image of SVG'],
  ['<svg><svg>x</svg>y</svg>a', 'a', 'a', 'to the end of the outer one'],
  ['<svg/onload=alert(1)>a', '', null, 'a slash is as good as a space'],
  [
    '<div><svg><div></div>x</svg>a</div>',
    '<div>a</div>',
    'a',
    'a dropped end tag ends nothing outside',
  ],
  [
    '<svg><style><img src=x onerror=alert(1)></style></svg>a',
    'a',
    'a',
    'style in a foreign element',
  ],
  [
    '<p onclick="alert(1)" style="x" class=y id=z data-q=1>a</p>',
    '<p>a</p>',
    'a',
    'no attribute but the listed',
  ],
  ['<img src=x onerror=alert(1)>', '', null, 'an image is no text'],
  ['<blink>a <custom-tag>b</custom-tag></blink>', 'a b', 'a b', 'text of unknown elements is kept'],
  ['<form action=x><input value=y><button>go</button></form>', '<div>go</div>', 'go', 'no forms'],
  [
    '<scr<script>ipt>alert(1)</script>',
    'ipt&gt;alert(1)',
    'ipt>alert(1)',
    'leftovers do not join to a tag',
  ],
  ['<<b>script>a</b>', '&lt;<b>script&gt;a</b>', '<script>a', 'a lone < is text'],
  [
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '<script>alert(1)</script>',
    'what was escaped stays so',
  ],
  ['<a href="javascript:alert(1)">x</a>', '<a>x</a>', 'x', 'an address is http, https or mailto'],
  ['<a href=" JaVaScRiPt:alert(1)">x</a>', '<a>x</a>', 'x', 'in any case, behind a space'],
  [
    '<a href="java\tscript\n:alert(1)">x</a>',
    '<a>x</a>',
    'x',
    'tabs and line breaks are ignored by browsers',
  ],
  ['<a href="&#106;avascript&colon;alert(1)">x</a>', '<a>x</a>', 'x', 'entities are decoded first'],
  ['<a href="&#x6A&#x61;vascript:alert(1)">x</a>', '<a>x</a>', 'x', 'with and without semicolon'],
  [
    '<a href="\u0001javascript:alert(1)">x</a>',
    '<a>x</a>',
    'x',
    'control characters are ignored in front',
  ],
  ['<a href="java&#0;script:alert(1)">x</a>', '<a>x</a>', 'x', 'NUL'],
  ['<a href="data:text/html,<script>1</script>">x</a>', '<a>x</a>', 'x', 'no data:'],
  [
    '<a href="vbscript:x">x</a><a href="blob:https://x/1">y</a>',
    '<a>x</a><a>y</a>',
    'xy',
    'no others',
  ],
  ['<a href="//x.example">x</a><a href="/y">y</a>', '<a>x</a><a>y</a>', 'xy', 'nothing relative'],
  [
    '<a href="https://x.example/?a=1&b=&quot;" target=_blank rel=opener>x</a>',
    `<a href="https://x.example/?a=1&amp;b=&quot;" ${REL}>x</a>`,
    'x (https://x.example/?a=1&b=")',
    'the address is escaped, rel is ours',
  ],
  [
    '<a href=https://x.example/" onclick=alert(1)>x</a>',
    `<a href="https://x.example/&quot;" ${REL}>x</a>`,
    'x (https://x.example/")',
    'a quote does not end the attribute',
  ],
  ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', '', null, 'mutation: noscript'],
  [
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '',
    null,
    'mutation: MathML',
  ],
  [
    '<p title="--><img src=x onerror=alert(1)>">a</p>',
    '<p>a</p>',
    'a',
    'no attribute to break out of',
  ],
  ['a<!-- <b>x</b> --><!-- --!><!-- -- >-->b', 'ab', 'ab', 'comments are no text'],
  ['<!--><b>a</b>-->', '<b>a</b>--&gt;', 'a-->', 'an empty comment ends at once'],
  ['a<![CDATA[<b>x]]>b', 'ab', 'ab', 'CDATA is a comment in HTML'],
  ['<?xml version="1.0"?><!DOCTYPE html>a', 'a', 'a', 'instructions and declarations'],
  ['<div><b>a', '<div><b>a</b></div>', 'a', 'what is not closed is closed'],
  ['a</div></b>b', 'ab', 'ab', 'end tags of nothing'],
  ['<b><p>a</b>b</p>', '<b><p>a</p></b>b<p></p>', 'a\n\nb', 'wrong nesting is set right'],
  ['<p>a<b', '<p>a</p>', 'a', 'half a tag is none'],
  ['<p>a</p xyz', '<p>a</p>', 'a', 'half an end tag is no text'],
  [
    '<p dir=RTL>a</p><p dir=x>b</p><b dir=rtl>c</b>',
    '<p dir="rtl">a</p><p>b</p><b>c</b>',
    'a\n\nb\n\nc',
    'a direction for blocks',
  ],
  [
    '<bdo dir=rtl>a</bdo><bdi dir=ltr>b</bdi>',
    '<bdo dir="rtl">a</bdo><bdi>b</bdi>',
    'ab',
    'and for bdo',
  ],
  [
    '<ol start=-2><li>a</ol><ol start=1e9><li>b</ol>',
    '<ol start="-2"><li>a</li></ol><ol><li>b</li></ol>',
    '-2. a\n\n1. b',
    'a start is a whole number',
  ],
  [
    '<p>one</p><select><option>x</select><p>two</p>',
    '<p>one</p><p>two</p>',
    'one\n\ntwo',
    'an option needs no end tag',
  ],
  ['<datalist><option>x</option></datalist>a', 'a', 'a', 'nor is an option of another field text'],
  ['<select><option>x<p>two</p>', 'x<p>two</p>', 'x\n\ntwo', 'an unclosed field is no field'],
  [
    '<p>a</p><svg><path></p><p>two</p>',
    '<p>a</p><p>two</p>',
    'a\n\ntwo',
    'a block ends an unclosed image',
  ],
  ['<svg>x<svg>y<p>two', '<p>two</p>', 'two', 'or two of them'],
  ['<math><mi>x</mi>y<svg>z<div>two', '<div>two</div>', 'two', 'and what is in it'],
  [
    '<svg><foreignObject><p>x</p></foreignObject>y<p>two',
    '<p>two</p>',
    'two',
    'but not where there is HTML in it',
  ],
  ['<svg><desc><p>x</p>', '', null, 'which may be unclosed too'],
  ['<svg>x<p>y</p></svg>a', 'a', 'a', 'nor does it end one that is closed'],
  ['<svg><style></svg><p>x</p></style>y<p>two', '<p>two</p>', 'two', 'style in an unclosed one'],
  [
    '<svg><p>a</p><svg>x</svg><p>b</p>',
    '<p>a</p><p>b</p>',
    'a\n\nb',
    'the end tag is of the second one',
  ],
  [
    '<svg/>a<math />b<svg><desc/><g/>c</svg>d',
    'abd',
    'abd',
    'foreign elements may close themselves',
  ],
  ['<script/>x</script>a<title/>y</title>b', 'ab', 'ab', 'others may not'],
  ['<svg>x</SVG>a', 'a', 'a', 'an end tag in any case'],
  ['<noscript>x<p>y', '', null, 'what is no image lasts to the end'],
  [
    '<a href="https://x.example/a\tb\nc\u0001d">x</a>',
    `<a href="https://x.example/abcd" ${REL}>x</a>`,
    'x (https://x.example/abcd)',
    'no control characters in an address',
  ],
  [
    '<a href="ftp://x.example">x</a><a href="tel:1">y</a>',
    '<a>x</a><a>y</a>',
    'xy',
    'neither ftp nor tel',
  ],
  [
    '<a href="https://">x</a><a href="xhttps://x">y</a>',
    '<a>x</a><a>y</a>',
    'xy',
    'nothing that is no address',
  ],
  [
    '<a href="HTTP://x.example">x</a>',
    `<a href="HTTP://x.example" ${REL}>x</a>`,
    'x (HTTP://x.example)',
    'an address as it was written',
  ],
  [
    '<a href=https://x.example><b>x<a>y</a>',
    `<a href="https://x.example" ${REL}><b>x</b></a><a>y</a>`,
    'x (https://x.example)y',
    'links do not nest',
  ],
  [
    '<ol start=007><li>a</ol><ol start=-0><li>b</ol>',
    '<ol start="7"><li>a</li></ol><ol start="0"><li>b</li></ol>',
    '7. a\n\n0. b',
    'written in one way',
  ],
  [
    '<ul start=3 href=https://x.example><li start=4>a</ul>',
    '<ul><li>a</li></ul>',
    '- a',
    'each where it belongs',
  ],
  [
    '<section dir=rtl>a</section><article>b</article>',
    '<div dir="rtl">a</div><div>b</div>',
    'a\nb',
    'blocks of any kind',
  ],
  [
    '<p>a<section>b</section>c<p>d<hr>',
    '<p>a</p><div>b</div>c<p>d</p><hr>',
    'a\n\nb\nc\n\nd\n\n---',
    'a block ends a paragraph',
  ],
  [
    '<ul><li><p>a<li>b</ul><dl><dt>c<dd><p>d<dt>e</dl>',
    '<ul><li><p>a</p></li><li>b</li></ul><div><div>c</div><div><p>d</p></div><div>e</div></div>',
    '- a\n- b\n\nc\n\nd\n\ne',
    'an item ends the one before it',
  ],
  [
    '<table><thead><tr><th>a<th>b<tbody><tr><td>c</table>',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>',
    'a\tb\nc',
    'so do the parts of a table',
  ],
  ['a</br>b</hr>c', 'a<br>bc', 'a\nbc', 'an end tag that is a line break'],
  ['a\0b&#0;c', 'ab\ufffdc', 'ab\ufffdc', 'NUL is not kept'],
  ['a\ud800b', 'a\ufffdb', 'a\ufffdb', 'half a character is replaced'],
]

for (const [dirty, html, plain, why] of hostile) {
  test(`${JSON.stringify(dirty)} is made safe: ${why}`, () => {
    const text = fromHtml(dirty)
    assert.equal(text.html, html)
    assert.equal(text.plain, plain)
  })
}
