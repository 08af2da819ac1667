import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { hasClamd, INFECTED_TEXT, startClamd } from '../support/clamd.ts'
import { fileWorld } from '../support/served-files.ts'
import { eventually, storedIn } from '../support/stored.ts'

for (const tcp of [false, true]) {
  const over = tcp ? 'TCP' : 'a unix socket'

  test(`a real clamd over ${over}: clean, infected, killed in the middle, back again`, async (t) => {
    if (!hasClamd(t)) return
    const clamd = await startClamd(t, { tcp })
    const world = await fileWorld(t, '--scanner', clamd.scannerFlag)
    assert.doesNotMatch(world.stderr(), /no antivirus/)
    const bytes = randomBytes(5 * 1024 * 1024)
    const clean = await world.upload('large.bin', bytes)
    const infected = await world.upload('bad.txt', `before ${INFECTED_TEXT} after`)
    await world.becomes(clean, 'clean')
    await world.becomes(infected, 'infected')
    assert.ok((await world.download(clean)).bytes.equals(bytes))
    assert.equal((await world.download(infected)).status, 403)
    await eventually(() => assert.equal(storedIn({ folder: world.data }, 'quarantine').length, 1))
    const checked = (await world.run('check')).json.checks
    const scanner = checked.find(({ check }: { check: string }) => check === 'virus scanner')
    assert.match(scanner.detail, /^ClamAV .* answers$/)

    await clamd.kill()
    const waiting = [await world.upload('a.txt', 'a'), await world.upload('b.txt', INFECTED_TEXT)]
    await eventually(() => assert.match(world.stderr(), /could not be scanned/))
    for (const file of waiting) {
      assert.equal(await world.stateOf(file), 'pending')
      assert.equal((await world.download(file)).status, 403)
    }
    await clamd.restart()
    await world.becomes(waiting[0] as never, 'clean')
    await world.becomes(waiting[1] as never, 'infected')
    assert.match(world.stderr(), /answers again/)
  })

  test(`what is over the limit of clamd stays pending over ${over}, with the way out in the log`, async (t) => {
    if (!hasClamd(t)) return
    const clamd = await startClamd(t, { tcp, streamMaxLength: '1M' })
    const world = await fileWorld(t, '--scanner', clamd.scannerFlag)
    const large = await world.upload('large.bin', randomBytes(3 * 1024 * 1024))
    const small = await world.upload('small.txt', 'a')
    await world.becomes(small, 'clean')
    await eventually(() => assert.match(world.stderr(), /StreamMaxLength/))
    assert.equal(await world.stateOf(large), 'pending')
  })
}
