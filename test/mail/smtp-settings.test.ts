import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isLoopback,
  isMailAddress,
  readMailFrom,
  readSmtpUrl,
  smtpAddressText,
} from '../../src/mail/smtp-settings.ts'

const addresses: [
  text: string,
  host: string,
  port: number,
  isSecure: boolean,
  login: string | null,
][] = [
  ['smtp://mail.example', 'mail.example', 587, false, null],
  ['smtps://mail.example', 'mail.example', 465, true, null],
  ['smtp://localhost:25', 'localhost', 25, false, null],
  ['smtp://localhost:25/', 'localhost', 25, false, null],
  ['SMTP://Mail.Example:2525', 'mail.example', 2525, false, null],
  ['smtp://majlis:secret@mail.example:587', 'mail.example', 587, false, 'majlis secret'],
  [
    'smtps://a%40b.example:p%3A%2F%40%23%25@mail.example',
    'mail.example',
    465,
    true,
    'a@b.example p:/@#%',
  ],
  ['smtp://majlis:%D8%B3%D8%B1@mail.example', 'mail.example', 587, false, 'majlis سر'],
  ['smtp://user:a:b@mail.example', 'mail.example', 587, false, 'user a:b'],
  ['smtp://[::1]:2525', '::1', 2525, false, null],
  ['smtps://user:pass@[2001:db8::25]', '2001:db8::25', 465, true, 'user pass'],
  ['smtp://192.0.2.1', '192.0.2.1', 587, false, null],
]

for (const [text, host, port, isSecure, login] of addresses) {
  test(`${text} is read`, () => {
    const read = readSmtpUrl(text)
    assert.ok(read)
    const { login: given, ...place } = read
    assert.deepEqual(place, { host, port, isSecure })
    assert.equal(given && `${given.user} ${given.password}`, login)
  })
}

const unreadable: [text: string, why: string][] = [
  ['', 'nothing'],
  ['mail.example:587', 'no scheme'],
  ['http://mail.example', 'another scheme'],
  ['smtp:mail.example', 'no slashes'],
  ['smtp://', 'no host'],
  ['smtp://:587', 'a port without a host'],
  ['smtp://mail.example:0', 'port 0'],
  ['smtp://mail.example:70000', 'a port too high'],
  ['smtp://mail.example:x', 'a port of letters'],
  ['smtp://mail.example/path', 'a path'],
  ['smtp://mail.example?tls=off', 'an option'],
  ['smtp://mail.example#x', 'a fragment'],
  ['smtp://user@mail.example', 'a user without a password'],
  ['smtp://:pass@mail.example', 'a password without a user'],
  ['smtp://user:pa/ss@mail.example', 'a slash that is not encoded'],
  ['smtp://user:pa#ss@mail.example', 'a hash that is not encoded'],
  ['smtp://user:50%@mail.example', 'a percent sign that is not encoded'],
  ['smtp://user:a%0d%0ab@mail.example', 'a line break in a password'],
  ['smtp://user:a%00b@mail.example', 'a NUL in a password'],
  ['smtp://mail example', 'a space'],
  ['smtp://mail.example\n', 'a line break'],
  ['smtp://[::g]', 'no IPv6 address'],
]

for (const [text, why] of unreadable) {
  test(`an address with ${why} is not read`, () => {
    assert.equal(readSmtpUrl(text), null)
  })
}

test('an address is shown without its login, and can be read again', () => {
  for (const text of ['smtps://[2001:db8::25]:465', 'smtp://mail.example:587']) {
    const settings = readSmtpUrl(text.replace('://', '://user:hidden@'))
    assert.ok(settings)
    assert.equal(smtpAddressText(settings), text)
  }
})

test('this machine is known by its names', () => {
  for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '::1'])
    assert.ok(isLoopback(host), host)
  for (const host of ['127.example', 'localhost.example', '0.0.0.0', '10.0.0.1', '::2']) {
    assert.ok(!isLoopback(host), host)
  }
})

test('a sender is an address, with a name or without', () => {
  const senders: [string, string, string][] = [
    ['Majlis <majlis@company.example>', 'Majlis', 'majlis@company.example'],
    ['majlis@company.example', '', 'majlis@company.example'],
    [' <majlis@company.example> ', '', 'majlis@company.example'],
    ['"Majlis, Inc." <majlis@company.example>', 'Majlis, Inc.', 'majlis@company.example'],
    ['مجلس <majlis@company.example>', 'مجلس', 'majlis@company.example'],
  ]
  for (const [text, name, email] of senders) assert.deepEqual(readMailFrom(text), { name, email })
})

test('what is no sender is not read', () => {
  const wrong = [
    '',
    'Majlis',
    'Majlis <>',
    'Majlis <majlis>',
    '<a@b.example> x',
    'a@b.example, c@d.example',
  ]
  const injected = [
    'Majlis\r\nBcc: x@y.example <a@b.example>',
    'M <a@b.example\r\n>',
    'a"b <a@b.example>',
  ]
  for (const text of [...wrong, ...injected, 'a <b <c@d.example>>']) {
    assert.equal(readMailFrom(text), null, text)
  }
})

test('an address is one address only', () => {
  const right = ['a@b.example', "o'neil+x@b.example", 'عمر@شركة.example', 'a@localhost']
  for (const text of right) assert.ok(isMailAddress(text), text)
  const wrong = [
    'a@b.example,c@d.example',
    'a@b.example>',
    'a b@c.example',
    'a,b@c.example',
    '<a@c.example',
    'a>@c.example',
    'a@b@c',
    '@b.example',
    'a@',
    'a@b\n',
    `${'a'.repeat(250)}@b.example`,
  ]
  for (const text of wrong) assert.ok(!isMailAddress(text), text)
})
