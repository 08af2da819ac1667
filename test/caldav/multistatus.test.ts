import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMultistatus } from '../../src/caldav/multistatus.ts'
import { multistatus } from './peer.ts'

const NOTHING = { isMissing: false, isCalendar: false, takesEvents: true, name: null, etag: null }
const CALENDAR_TYPE = '<D:resourcetype><C:calendar/></D:resourcetype>'

test('prefixes are the choice of the server, and change on the way', () => {
  const xml = `<x:multistatus xmlns:x="DAV:"><x:response><propstat xmlns="DAV:"><prop>
    <resourcetype><calendar xmlns="urn:ietf:params:xml:ns:caldav"></calendar></resourcetype>
    <displayname><![CDATA[A & B]]></displayname><y:getetag xmlns:y="DAV:">&#34;1&quot;</y:getetag>
    </prop><status>HTTP/1.1 200 OK</status></propstat></x:response></x:multistatus>`
  const read = { ...NOTHING, isCalendar: true, name: 'A & B', etag: '"1"' }
  assert.deepEqual(readMultistatus(xml), read)
})

test('a property that the server does not have is not taken from its refusal', () => {
  const xml = multistatus(`${CALENDAR_TYPE}<D:displayname>X</D:displayname>`)
  assert.deepEqual(readMultistatus(xml.replace('200 OK', '404 Not Found')), NOTHING)
})

test('a calendar that lists events among others takes them', () => {
  const set = (names: string) =>
    multistatus(`<C:supported-calendar-component-set>${names}</C:supported-calendar-component-set>`)
  const both = set('<C:comp name="VTODO"/><C:comp name="vevent"/>')
  assert.equal(readMultistatus(both)?.takesEvents, true)
  assert.equal(readMultistatus(set(''))?.takesEvents, true)
  assert.equal(readMultistatus(set('<C:comp name="VTODO"/>'))?.takesEvents, false)
})

test('entities of a document type are not known, and cost nothing', () => {
  const lines = Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`)
  const type = `<!DOCTYPE x [<!ENTITY e0 "ha">${lines.join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]>`
  const xml = type + multistatus('<D:displayname>&e30;&f;</D:displayname>')
  const read = readMultistatus(xml)
  assert.ok(read === null || !/ha|root/.test(read.name ?? ''))
})

for (const [name, xml] of [
  ['nothing', ''],
  ['text', 'hello'],
  ['another root', '<multistatus/>'],
  ['no response', '<multistatus xmlns="DAV:"/>'],
  ['what is never closed', '<multistatus xmlns="DAV:"><response>'],
  ['a tag that is cut', '<multistatus xmlns="DAV:"><response/></multistat'],
  ['a great depth', multistatus('<a>'.repeat(200_000))],
  [
    'a great depth with other ends',
    multistatus(`${'<a>'.repeat(100_000)}${'</b>'.repeat(100_000)}`),
  ],
  ['very many elements', multistatus('<a/>'.repeat(200_000))],
  [
    'very many declarations',
    multistatus(
      `<a ${Array.from({ length: 30_000 }, (_, n) => `xmlns:n${n}="u"`).join(' ')}>${'<b/>'.repeat(100_000)}</a>`,
    ),
  ],
] as const) {
  test(`${name} is no multistatus`, () => assert.equal(readMultistatus(xml), null))
}
