import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { clamdScanner, clamdVersion } from '../../src/scan/clamd.ts'
import { hasClamd, INFECTED_TEXT, INFECTED_THREAT, startClamd } from '../support/clamd.ts'
import { heldAt, stored } from './bytes.ts'

const MB = 1024 * 1024
const FIVE_MB = Buffer.alloc(5 * MB, 'سلام ')

for (const [kind, tcp] of [
  ['a socket', false],
  ['TCP', true],
] as const) {
  suite(`a real clamd over ${kind}`, () => {
    test('calls clean what is clean, be it empty, short or as long as an upload may be', async (t) => {
      if (!hasClamd(t)) return
      const scanner = clamdScanner((await startClamd(t, { tcp })).address)
      for (const content of [Buffer.alloc(0), Buffer.from('hello'), FIVE_MB]) {
        assert.deepEqual(await scanner.scan(stored(content)), { state: 'clean' })
      }
    })

    test('names the threat, wherever in the file it stands', async (t) => {
      if (!hasClamd(t)) return
      const scanner = clamdScanner((await startClamd(t, { tcp })).address)
      const infected = { state: 'infected', threat: INFECTED_THREAT }
      assert.deepEqual(await scanner.scan(stored(INFECTED_TEXT)), infected)
      // Across the border of two slices, and at the very end.
      for (const place of [64 * 1024 - 10, FIVE_MB.length - INFECTED_TEXT.length]) {
        const content = Buffer.from(FIVE_MB)
        content.write(INFECTED_TEXT, place)
        assert.deepEqual(await scanner.scan(stored(content)), infected, `at ${place}`)
      }
    })

    test('scans many files at once and gives each its own verdict', async (t) => {
      if (!hasClamd(t)) return
      const scanner = clamdScanner((await startClamd(t, { tcp })).address)
      const contents = Array.from({ length: 24 }, (_, n) => (n % 3 ? `clean ${n}` : INFECTED_TEXT))
      const verdicts = await Promise.all(contents.map((content) => scanner.scan(stored(content))))
      assert.deepEqual(
        verdicts.map(({ state }) => state),
        contents.map((content) => (content === INFECTED_TEXT ? 'infected' : 'clean')),
      )
    })

    test('over its limit the message names the setting, each time', async (t) => {
      if (!hasClamd(t)) return
      const { address } = await startClamd(t, { tcp, streamMaxLength: '1M' })
      const scanner = clamdScanner(address)
      // What is left to send, when clamd hangs up, decides which error the socket meets first.
      for (const size of [MB + 1, 2 * MB, 5 * MB, 5 * MB, 5 * MB]) {
        await assert.rejects(scanner.scan(stored(Buffer.alloc(size))), {
          name: 'Failure',
          message:
            'clamd refuses files of this size: raise StreamMaxLength in clamd.conf to 6M or more, and restart clamd.',
        })
      }
      await assert.rejects(scanner.scan(stored(Buffer.alloc(9 * MB))), /to 9M or more/)
      assert.deepEqual(await scanner.scan(stored(Buffer.alloc(MB))), { state: 'clean' })
    })

    test('killed in the middle of a file it gives no verdict, and one when it is back', async (t) => {
      if (!hasClamd(t)) return
      const clamd = await startClamd(t, { tcp })
      const scanner = clamdScanner(clamd.address)
      const { file, reached, release } = heldAt(3 * MB, FIVE_MB)
      const scan = assert.rejects(scanner.scan(file), /hung up without an answer|broke off/)
      await reached
      await clamd.kill()
      await scan
      release()
      await assert.rejects(
        scanner.scan(stored('hello')),
        /does not answer \(ECONNREFUSED\): start it, or name its address with --scanner/,
      )
      await clamd.restart()
      assert.deepEqual(await scanner.scan(stored(FIVE_MB)), { state: 'clean' })
    })

    test('tells its version', async (t) => {
      if (!hasClamd(t)) return
      const clamd = await startClamd(t, { tcp })
      assert.match(await clamdVersion(clamd.address), /^ClamAV \d+\.\d+/)
      await clamd.kill()
      await assert.rejects(clamdVersion(clamd.address), /does not answer/)
    })
  })
}

test('a socket that is not there is named, with what to do', async () => {
  await assert.rejects(clamdScanner({ path: '/nowhere/clamd.ctl' }).scan(stored('hello')), {
    name: 'Failure',
    message:
      'clamd at /nowhere/clamd.ctl does not answer (ENOENT): start it, or name its address with --scanner.',
  })
})
