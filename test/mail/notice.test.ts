import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { composeMail, type Mail } from '../../src/mail/notice.ts'
import { discussionNotice, eventNotice, inEnglish } from './notices.ts'

type Element = DefaultTreeAdapterTypes.Element

function elements(html: string): Element[] {
  const walk = (node: DefaultTreeAdapterTypes.Node): Element[] => [
    ...('tagName' in node ? [node] : []),
    ...('childNodes' in node ? node.childNodes.flatMap(walk) : []),
  ]
  return walk(parse(html))
}

const attribute = (element: Element, name: string) =>
  element.attrs.find((each) => each.name === name)?.value
const languages = ({ html }: Mail) =>
  elements(html)
    .filter(({ tagName }) => tagName === 'td')
    .map((each) => [attribute(each, 'lang'), attribute(each, 'dir')])
    .filter(([lang]) => lang !== undefined)

test('the language of the company comes first, and the other one follows', () => {
  const arabic = composeMail(eventNotice())
  assert.equal(arabic.subject, 'دعوة · Invitation: اجتماع الافتتاح')
  assert.deepEqual(languages(arabic), [
    ['ar', 'rtl'],
    ['en', 'ltr'],
  ])
  assert.ok(arabic.text.indexOf('أنت مدعو') < arabic.text.indexOf('You are invited'))
  const english = composeMail(inEnglish(eventNotice()))
  assert.equal(english.subject, 'Invitation · دعوة: اجتماع الافتتاح')
  assert.deepEqual(languages(english), [
    ['en', 'ltr'],
    ['ar', 'rtl'],
  ])
  assert.ok(english.text.indexOf('أنت مدعو') > english.text.indexOf('You are invited'))
})

test('a discussion is told with its project, its author, its time and its text', () => {
  const { text, subject, calendar } = composeMail(inEnglish(discussionNotice()))
  assert.equal(subject, 'New discussion · مناقشة جديدة: أين نلتقي؟')
  assert.equal(calendar, undefined)
  const lines = text.split('\n')
  for (const line of ['Title: أين نلتقي؟', 'Project: Launch', 'Author: Mona', 'الكاتب: Mona']) {
    assert.ok(lines.includes(line), line)
  }
  assert.match(
    text,
    /Time: Friday,? 20 February 2026, 11:00\sam \(Arabian Standard Time, UTC\+03:00\)/,
  )
  assert.equal(text.split('\n\nمرحبا\n').length, 2, 'the text stands there once')
})

test('a discussion without text is told without one', () => {
  for (const body of [null, '', ' \n\t']) {
    const { text } = composeMail(discussionNotice({ body }))
    assert.equal(text.split('-'.repeat(40)).length, 3)
  }
})

test('an event is told with its time, its address and its people', () => {
  const { text, html } = composeMail(eventNotice())
  assert.match(text, /الموعد: الأحد، 1 مارس 2026، من 9:00\sص إلى 10:30\sص \(.+، UTC\+03:00\)/)
  assert.match(
    text,
    /When: Sunday,? 1 March 2026, 9:00\sam to 10:30\sam \(Arabian Standard Time, UTC\+03:00\)/,
  )
  assert.match(text, /Meeting link: https:\/\/meet\.example\/launch\n/)
  assert.match(text, /Organizer: منى العتيبي\nInvited: Omar Haddad\n/)
  const links = elements(html).filter(({ tagName }) => tagName === 'a')
  assert.deepEqual(
    links.map((each) => attribute(each, 'href')),
    ['https://meet.example/launch', 'https://meet.example/launch'],
  )
})

test('an invitation carries its calendar, a change replaces it and a cancellation takes it back', () => {
  for (const [kind, method, heading] of [
    ['event.created', 'REQUEST', 'You are invited to an event'],
    ['event.updated', 'REQUEST', 'The event has changed'],
    ['event.cancelled', 'CANCEL', 'The event was cancelled'],
  ] as const) {
    const { calendar, text } = composeMail(eventNotice({}, kind))
    assert.equal(calendar?.method, method)
    assert.match(calendar?.text ?? '', new RegExp(`\r\nMETHOD:${method}\r\n`))
    assert.match(calendar?.text ?? '', /\r\nDTSTAMP:20260220T080000Z\r\n/)
    assert.ok(text.includes(heading))
  }
})

test('no value becomes markup, and no link leads anywhere but to the web', () => {
  const evil = `"><img src=x onerror=alert(1)><script>alert('1')</script>&lt;`
  const people = [{ name: evil, email: 'evil@company.example' }]
  const meetingUrl = 'javascript:alert(1)//https://'
  const notices = [
    discussionNotice({ title: evil, body: evil, author: evil, project: evil }),
    eventNotice({ name: evil, description: evil, meetingUrl, attendees: people }),
    eventNotice({ meetingUrl: 'https://meet.example/"><script>a</script>' }),
  ]
  for (const notice of notices) {
    const { html, text } = composeMail({ ...notice, company: { ...notice.company, name: evil } })
    assert.doesNotMatch(text, /javascript:/)
    const allowed = [
      'html',
      'head',
      'meta',
      'title',
      'body',
      'table',
      'tbody',
      'tr',
      'td',
      'p',
      'span',
      'div',
      'a',
      'br',
    ]
    for (const element of elements(html)) {
      assert.ok(allowed.includes(element.tagName), element.tagName)
      for (const { name, value } of element.attrs) {
        assert.doesNotMatch(name, /^on|^src$/)
        if (name === 'href') assert.match(value, /^https?:\/\//)
        assert.doesNotMatch(value, /url\(/)
      }
    }
  }
})

test('whatever the values, the page stays under 100 kB and the subject short', () => {
  const quotes = '"'.repeat(65_536)
  const person = { name: quotes, email: 'x@company.example' }
  const meetingUrl = `https://meet.example/${'&'.repeat(2_027)}`
  const company = { name: quotes, language: 'ar', timeZone: 'America/New_York' } as const
  const notices = [
    discussionNotice({ title: quotes, body: quotes, author: quotes, project: quotes }),
    discussionNotice({ body: '\n"'.repeat(30_000) }),
    discussionNotice({ body: '😀'.repeat(30_000) }),
    eventNotice({
      name: quotes,
      description: quotes,
      meetingUrl,
      organizer: person,
      attendees: Array.from({ length: 500 }, () => person),
    }),
  ]
  for (const notice of notices) {
    const { html, subject } = composeMail({ ...notice, company })
    assert.ok(Buffer.byteLength(html) < 100_000, `${Buffer.byteLength(html)} bytes`)
    assert.ok(subject.length <= 160, `${subject.length}`)
    assert.ok(html.isWellFormed())
  }
  const { text } = composeMail(discussionNotice({ body: `${'a'.repeat(9_000)}` }))
  assert.match(text, /\na{5999}…\n/)
})

test('of many people the first are named and the others counted', () => {
  const attendees = Array.from({ length: 18 }, (_, n) => ({
    name: `P${n + 1}`,
    email: 'p@x.example',
  }))
  const { text } = composeMail(eventNotice({ attendees }))
  assert.match(text, /Invited: P1, .*, P15, and 3 more\n/)
  assert.match(text, /المدعوون: P1، .*، P15، وآخرون \(3\)\n/)
})

test('no line break or direction of a name gets into the subject or into another line', () => {
  const title = 'One\r\nBcc: evil@example\u2028two \u202eeert\u0000'
  const { subject, text } = composeMail(inEnglish(discussionNotice({ title })))
  assert.equal(subject, 'New discussion · مناقشة جديدة: One Bcc: evil@example two eert')
  assert.match(text, /\nTitle: One Bcc: evil@example two eert\n/)
})

test('a mail has the same identifier whenever it is made, and no other has it', () => {
  const notice = eventNotice()
  const { messageId } = composeMail(notice)
  assert.match(messageId, /^<notification-12\.[0-9a-f]{20}@majlis\.invalid>$/)
  const again = { ...notice, company: { ...notice.company, name: 'Renamed' } }
  assert.equal(composeMail(again).messageId, messageId)
  const others = [
    { ...notice, id: 13 },
    { ...notice, at: notice.at + 1 },
    { ...notice, recipient: { name: '', email: 'other@company.example' } },
  ]
  const ids = new Set([messageId, ...others.map((each) => composeMail(each).messageId)])
  assert.equal(ids.size, 4)
})
