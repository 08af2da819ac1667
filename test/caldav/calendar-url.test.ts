import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHref } from '../../src/caldav/calendar-url.ts'
import { hrefOf, readCalendarUrl } from '../../src/caldav/client.ts'

for (const [text, url] of [
  ['https://cal.example/amina/events/', 'https://cal.example/amina/events/'],
  ['https://cal.example/amina/events', 'https://cal.example/amina/events/'],
  ['https://cal.example', 'https://cal.example/'],
  [' http://localhost:5232/a/\n', 'http://localhost:5232/a/'],
  ['HTTPS://Cal.Example:443/A', 'https://cal.example/A/'],
  ['http://[::1]:5232/a', 'http://[::1]:5232/a/'],
  ['https://cal.example/مواعيد', 'https://cal.example/%D9%85%D9%88%D8%A7%D8%B9%D9%8A%D8%AF/'],
  ['https://cal.example/a@b.example/c%20d/', 'https://cal.example/a@b.example/c%20d/'],
  ['https://cal.example/a/../b', 'https://cal.example/b/'],
] as const) {
  test(`${text.trim()} names a calendar`, () => assert.equal(readCalendarUrl(text), url))
}

for (const text of [
  '',
  'cal.example/amina',
  'ftp://cal.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http:cal.example/',
  'http:/cal.example/',
  'http:\\\\cal.example\\',
  'http://',
  'http:///a',
  'https://amina@cal.example/',
  'https://amina:secret@cal.example/',
  'https://@cal.example/',
  'https://:@cal.example/',
  'https://cal.example/?export',
  'https://cal.example/#x',
  'https://cal.example:0/',
  'https://cal.example:65536/',
  'https://cal.exa\nmple/',
  'https://cal.example/a b',
  'https://cal.example/\0',
  `https://cal.example/${'a'.repeat(2000)}`,
]) {
  test(`${JSON.stringify(text.slice(0, 40))} names no calendar`, () =>
    assert.equal(readCalendarUrl(text), null))
}

test('an object is named after its uid, with safe characters only, and no two share a name', () => {
  const uid = '0b5b1c0e-5d5f-4b52-9d3e-6a3f0f6a1f11'
  assert.equal(hrefOf(uid), `${uid}.ics`)
  const hash = hrefOf('A').slice(0, -'.ics'.length)
  const uids = [
    'a',
    'A',
    'a@b',
    'a/b',
    '../a',
    '',
    '.',
    'مرحبا',
    'a\r\nb',
    'x'.repeat(5000),
    hash,
    hash.slice(4),
    uid,
  ]
  const hrefs = uids.map(hrefOf)
  assert.equal(new Set(hrefs).size, uids.length)
  for (const href of hrefs) {
    assert.match(href, /^[a-z0-9_-]{1,80}\.ics$/)
    assert.ok(isHref(href))
  }
})
