import assert from 'node:assert/strict'
import { test } from 'node:test'
import { humanSize } from '../../src/domain/file-size.ts'

const table: [bytes: number, text: string, why: string][] = [
  [0, '0 B', 'nothing'],
  [1, '1 B', 'one byte'],
  [1023, '1023 B', 'the last that is shown in bytes'],
  [1024, '1 KB', 'no decimals where there are none'],
  [1536, '1.5 KB', 'one decimal'],
  [10_240, '10 KB', 'whole numbers stay whole'],
  [1_048_524, '1023.9 KB', 'just below a megabyte'],
  [1_048_575, '1 MB', 'what would round to 1024 KB is a megabyte'],
  [5_242_880, '5 MB', 'the largest upload'],
  [1_073_741_824, '1 GB', 'a gigabyte'],
  [5_497_558_138_880, '5120 GB', 'the largest unit goes on'],
]

for (const [bytes, text, why] of table) {
  test(`${bytes} bytes are ${text}: ${why}`, () => {
    assert.equal(humanSize(bytes), text)
  })
}
