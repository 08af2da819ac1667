import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FramingCheck } from '../../src/http/framing.ts'

function check(...headers: [name: string, value: string][]): FramingCheck {
  const framing = new FramingCheck()
  for (const [name, value] of headers) framing.add(name, value)
  return framing
}

const broken: [what: string, headers: [string, string][]][] = [
  [
    'two lengths',
    [
      ['content-length', '2'],
      ['content-length', '2'],
    ],
  ],
  [
    'a length, then chunks',
    [
      ['content-length', '2'],
      ['transfer-encoding', 'chunked'],
    ],
  ],
  [
    'chunks, then a length',
    [
      ['transfer-encoding', 'chunked'],
      ['content-length', '2'],
    ],
  ],
  ['an unknown encoding', [['transfer-encoding', 'xchunked']]],
  ['identity', [['transfer-encoding', 'identity']]],
  ['two encodings in one', [['transfer-encoding', 'gzip, chunked']]],
  [
    'chunked twice',
    [
      ['transfer-encoding', 'chunked'],
      ['transfer-encoding', 'chunked'],
    ],
  ],
  [
    'two keys',
    [
      ['authorization', 'Bearer a'],
      ['authorization', 'Bearer a'],
    ],
  ],
  [
    'two hosts',
    [
      ['host', 'a'],
      ['host', 'b'],
    ],
  ],
]

for (const [what, headers] of broken) {
  test(`${what} break a request`, () => assert.equal(check(...headers).isBroken, true))
}

test('one length, chunks in any case, or neither, are sound and tell how long the body is', () => {
  const sound = [check(['content-length', '12']), check(['transfer-encoding', 'Chunked']), check()]
  assert.deepEqual(
    sound.map(({ isBroken }) => isBroken),
    [false, false, false],
  )
  assert.deepEqual(
    sound.map(({ declaredLength }) => declaredLength),
    [12, Number.POSITIVE_INFINITY, 0],
  )
})

test('nothing of one request is left for the next', () => {
  const framing = check(
    ['authorization', 'Bearer a'],
    ['host', 'a'],
    ['content-length', '2'],
    ['host', 'b'],
  )
  framing.begin()
  framing.add('host', 'c')
  assert.deepEqual(
    [framing.isBroken, framing.authorization, framing.declaredLength],
    [false, '', 0],
  )
})
