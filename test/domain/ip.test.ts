import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forwardedClient, plainAddress, subscriberOf } from '../../src/domain/ip.ts'

test('an IPv4 address in IPv6 clothes is the IPv4 address', () => {
  assert.equal(plainAddress('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(plainAddress('::FFFF:203.0.113.7'), '203.0.113.7')
  assert.equal(plainAddress('2001:db8::1'), '2001:db8::1')
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

test('behind a proxy the last entry of X-Forwarded-For is the client: the rest is its own word', () => {
  assert.equal(forwardedClient('203.0.113.7'), '203.0.113.7')
  assert.equal(forwardedClient('10.0.0.1, 203.0.113.7'), '203.0.113.7')
  assert.equal(forwardedClient(''), null)
})
