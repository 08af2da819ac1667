import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { composeMail, type Mail } from '../../src/mail/notice.ts'
import { readSmtpUrl, smtpMailer } from '../../src/mail/smtp.ts'
import { hasProgram } from '../support/component.ts'
import { type Received, startSmtp } from '../support/smtp.ts'
import { find, header, structure } from './mime.ts'
import { discussionNotice, eventNotice } from './notices.ts'

async function sent(
  t: TestContext,
  mail: Mail,
  from = 'مجلس <majlis@company.example>',
): Promise<Received> {
  const server = await startSmtp(t)
  const settings = readSmtpUrl(server.url)
  assert.ok(settings)
  const mailer = smtpMailer(settings, from)
  t.after(() => mailer.close())
  await mailer.send(mail)
  const [received] = server.received
  assert.ok(received)
  return received
}

test('an invitation is an alternative of the text and an attachment', async (t) => {
  for (const kind of ['event.created', 'event.cancelled'] as const) {
    const mail = composeMail(eventNotice({}, kind))
    const { message } = await sent(t, mail)
    assert.equal(
      structure(message),
      'multipart/mixed(multipart/alternative(text/plain, text/html, text/calendar), application/ics)',
    )
    const alternative = find(message, 'text/calendar')
    assert.deepEqual(alternative?.parameters, { charset: 'utf-8', method: mail.calendar?.method })
    assert.equal(alternative?.text, mail.calendar?.text)
    assert.equal(alternative && header(alternative, 'content-disposition'), undefined)
    const attachment = find(message, 'application/ics')
    assert.equal(attachment?.text, mail.calendar?.text)
    assert.equal(attachment?.parameters.name, 'invite.ics')
    assert.equal(
      attachment && header(attachment, 'content-disposition'),
      'attachment; filename=invite.ics',
    )
  }
})

test('a discussion is text and page, in the letters that were written', async (t) => {
  const mail = composeMail(discussionNotice())
  const { message } = await sent(t, mail)
  assert.equal(structure(message), 'multipart/alternative(text/plain, text/html)')
  const lines = (text = '') => text.replaceAll('\r\n', '\n').trimEnd()
  assert.equal(lines(find(message, 'text/plain')?.text), mail.text.trimEnd())
  assert.equal(lines(find(message, 'text/html')?.text), mail.html.trimEnd())
})

test('names and subjects in Arabic are encoded, and machines do not answer', async (t) => {
  const mail = composeMail(eventNotice())
  const { message, raw } = await sent(t, mail)
  assert.equal(header(message, 'subject'), 'دعوة · Invitation: اجتماع الافتتاح')
  assert.equal(header(message, 'from'), 'مجلس <majlis@company.example>')
  assert.equal(header(message, 'to'), 'عمر حداد <omar@company.example>')
  assert.equal(header(message, 'message-id'), mail.messageId)
  assert.equal(header(message, 'auto-submitted'), 'auto-generated')
  assert.match(raw, /^[\x00-\x7f]*$/)
  for (const line of raw.split('\r\n')) assert.ok(line.length <= 998)
})

test('no value of a mail becomes a header or a recipient', async (t) => {
  const evil =
    'x\r\nBcc: evil@example\r\n\r\nbody\n.\r\n<evil@example>, "y" <evil@example>\u2028\u0000'
  const mail = {
    ...composeMail(eventNotice({ name: evil, description: evil })),
    to: { name: evil, email: 'omar@company.example' },
    subject: evil,
    messageId: '<a@b>\r\nBcc: evil@example',
  }
  const { message, to } = await sent(t, mail)
  assert.deepEqual(to, ['omar@company.example'])
  const names = [...message.headers.keys()].sort()
  const known = [
    'auto-submitted',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ]
  assert.deepEqual(names, [...known, 'x-auto-response-suppress'])
  for (const values of message.headers.values()) assert.equal(values.length, 1)
  assert.equal(structure(message).split('text/calendar').length, 2)
})

const SCRIPT = `
import email, email.policy, json, sys
message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
print(json.dumps({
    'from': [[each.display_name, each.addr_spec] for each in message['from'].addresses],
    'to': [[each.display_name, each.addr_spec] for each in message['to'].addresses],
    'subject': message['subject'],
    'defects': [str(each) for part in message.walk() for each in part.defects],
    'parts': [[part.get_content_type(), part.get_param('method'), part.get_filename()] for part in message.walk()],
    'calendar': next(part.get_content() for part in message.walk() if part.get_content_type() == 'text/calendar'),
}))
`

test("Python's mail library reads the same mail", async (t) => {
  if (!hasProgram(t, '/usr/bin/python3', 'python3')) return
  const mail = composeMail(eventNotice())
  const to = { name: 'Haddad, "Omar" <x@y>', email: 'omar@company.example' }
  const { raw } = await sent(t, { ...mail, to })
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', SCRIPT], {
    input: raw,
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  const { calendar, ...read } = JSON.parse(stdout)
  assert.deepEqual(read, {
    from: [['مجلس', 'majlis@company.example']],
    to: [['Haddad, "Omar" <x@y>', 'omar@company.example']],
    subject: mail.subject,
    defects: [],
    parts: [
      ['multipart/mixed', null, null],
      ['multipart/alternative', null, null],
      ['text/plain', null, null],
      ['text/html', null, null],
      ['text/calendar', 'REQUEST', null],
      ['application/ics', null, 'invite.ics'],
    ],
  })
  assert.equal(calendar.replaceAll('\r\n', '\n'), mail.calendar?.text.replaceAll('\r\n', '\n'))
})
