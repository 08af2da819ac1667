import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clamdAddressText, readScannerChoice } from '../../src/scan/choice.ts'

test('builtin and none are choices by their names', () => {
  assert.deepEqual(readScannerChoice('builtin'), { kind: 'builtin' })
  assert.deepEqual(readScannerChoice('none'), { kind: 'none' })
})

for (const [text, address] of [
  ['/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ['/srv/a folder:3310', { path: '/srv/a folder:3310' }],
  [`/${'s'.repeat(106)}`, { path: `/${'s'.repeat(106)}` }],
  ['localhost:3310', { host: 'localhost', port: 3310 }],
  ['clam_av-1.example.org:1', { host: 'clam_av-1.example.org', port: 1 }],
  ['127.0.0.1:65535', { host: '127.0.0.1', port: 65_535 }],
  ['[::1]:3310', { host: '::1', port: 3310 }],
  ['[fe80::1%eth0]:3310', { host: 'fe80::1%eth0', port: 3310 }],
] as const) {
  test(`clamd:${text} is a clamd, and its address prints as it was written`, () => {
    assert.deepEqual(readScannerChoice(`clamd:${text}`), { kind: 'clamd', address })
    assert.equal(clamdAddressText(address), text)
  })
}

for (const [reason, text] of [
  ['nothing', ''],
  ['another word', 'avast'],
  ['a word with more after it', 'builtin '],
  ['a word in capitals', 'None'],
  ['clamd without an address', 'clamd'],
  ['clamd with an empty address', 'clamd:'],
  ['a path that depends on the folder of the start', 'clamd:run/clamd.ctl'],
  ['a path from the folder of the start', 'clamd:./clamd.ctl'],
  ['a path that no socket can have', `clamd:/${'s'.repeat(107)}`],
  ['a path that is too long in bytes', `clamd:/${'س'.repeat(54)}`],
  ['a path with a zero byte', 'clamd:/run/clamd\0.ctl'],
  ['a path with a line feed', 'clamd:/run/clamd.ctl\n'],
  ['a host without a port', 'clamd:localhost'],
  ['a host with an empty port', 'clamd:localhost:'],
  ['a port without a host', 'clamd::3310'],
  ['port 0', 'clamd:localhost:0'],
  ['a port with a zero before it', 'clamd:localhost:03310'],
  ['a port past the last', 'clamd:localhost:65536'],
  ['a port of too many digits', 'clamd:localhost:333100'],
  ['a port in letters', 'clamd:localhost:http'],
  ['a port in other digits', 'clamd:localhost:٣٣١٠'],
  ['a negative port', 'clamd:localhost:-1'],
  ['a port with more after it', 'clamd:localhost:3310\n'],
  ['an IPv6 address without brackets', 'clamd:::1:3310'],
  ['brackets around a name', 'clamd:[localhost]:3310'],
  ['empty brackets', 'clamd:[]:3310'],
  ['an address on the web', 'clamd:http://localhost:3310'],
  ['a host with a space', 'clamd:local host:3310'],
] as const) {
  test(`${reason} is no choice`, () => {
    assert.equal(readScannerChoice(text), null)
  })
}
