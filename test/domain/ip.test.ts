import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forwardedClient, plainAddress, subscriberOf } from '../../src/domain/ip.ts'

test('an IPv4 address in IPv6 clothes is the IPv4 address', () => {
  assert.equal(plainAddress('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(plainAddress('::FFFF:203.0.113.7'), '203.0.113.7')
  assert.equal(plainAddress('::ffff:cb00:7107'), '203.0.113.7')
  assert.equal(plainAddress('0000:0000:0000:0000:0000:ffff:7f00:0009'), '127.0.0.9')
  assert.equal(plainAddress('2001:db8::1'), '2001:db8::1')
  assert.equal(plainAddress('203.0.113.7'), '203.0.113.7')
})

const subscribers: [ip: string, subscriber: string, why: string][] = [
  ['203.0.113.7', '203.0.113.7', 'an IPv4 address counts alone'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', 'a /64 counts as one'],
  ['2001:db8:1:2::9', '2001:db8:1:2', 'however it is written'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2', 'with leading zeros too'],
  ['::1', '0:0:0:0', 'loopback'],
  ['2001:db8::', '2001:db8:0:0', 'zeros at the end'],
]

for (const [ip, subscriber, why] of subscribers) {
  test(`${ip} is counted as ${subscriber}: ${why}`, () => {
    assert.equal(subscriberOf(ip), subscriber)
  })
}

const forwarded: [header: string, client: string | null, why: string][] = [
  ['203.0.113.7', '203.0.113.7', 'the only entry'],
  [
    '10.0.0.1, 203.0.113.7',
    '203.0.113.7',
    "the last is the proxy's own, the rest the client's word",
  ],
  ['203.0.113.7:51234', '203.0.113.7', 'some proxies write the port too'],
  ['[2001:db8::1]:51234', '2001:db8::1', 'in brackets for IPv6'],
  ['2001:db8::1', '2001:db8::1', 'a plain IPv6 address'],
  ['::ffff:203.0.113.7', '203.0.113.7', 'one caller is one caller'],
  ['garbage', null, 'no address'],
  ['203.0.113.7, ', null, 'no address'],
  ['', null, 'nothing'],
]

for (const [header, client, why] of forwarded) {
  test(`behind a proxy, X-Forwarded-For "${header}" names ${client}: ${why}`, () => {
    assert.equal(forwardedClient(header), client)
  })
}
