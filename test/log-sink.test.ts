import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logSink } from '../src/log-sink.ts'

test('lines for a reader who stops reading are dropped and counted, and the log goes on once it is read', () => {
  const stream = {
    writableLength: 0,
    written: '',
    write(text: string) {
      this.written += text
      this.writableLength += text.length
    },
  }
  const write = logSink(stream)
  const line = `${'x'.repeat(1023)}\n`
  for (let i = 0; i < 2_000; i++) write(line)
  assert.ok(stream.writableLength < 1.1 * 1024 * 1024, 'memory is bounded')
  const kept = stream.written.length / 1024
  stream.written = ''
  stream.writableLength = 0
  write(line)
  const [note = '', after] = stream.written.split('\n')
  assert.equal(JSON.parse(note).dropped, 2_000 - kept, 'every line was written or counted')
  assert.equal(`${after}\n`, line)
})
