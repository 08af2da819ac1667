import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

test('the uWebSockets.js binary is the one of the official v20.49.0, though another package brings it', () => {
  const binary = new URL(
    '../node_modules/uWebSockets.js/dist/bin/uws_linux_x64_115.node',
    import.meta.url,
  )
  assert.equal(
    createHash('sha256').update(readFileSync(binary)).digest('hex'),
    '6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e',
  )
})
