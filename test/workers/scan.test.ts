import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'
import { lookInto } from '../support/database.ts'
import { eventually, storedIn } from '../support/stored.ts'

// In two parts, as virus scanners would quarantine this very file.
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

test('the EICAR test file is infected, as text and as bytes, and nothing else is', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  const path = `/projects/${majlis.seed.project().id}/files`
  await api.post(path, { name: 'eicar.txt', content: EICAR })
  const content_base64 = Buffer.from(`${EICAR}\n`).toString('base64')
  await api.post(path, { name: 'eicar.com', content_base64 })
  await api.post(path, { name: 'about.txt', content: `It reads ${EICAR}` })
  await majlis.scanner.settled()
  const { files } = (await api.get(path)).data
  assert.deepEqual(
    files.map((file: Record<string, unknown>) => [file.name, file.scan_state, file.downloadable]),
    [
      ['about.txt', 'clean', true],
      ['eicar.com', 'infected', false],
      ['eicar.txt', 'infected', false],
    ],
  )
  await eventually(() => assert.equal(storedIn(majlis, 'quarantine').length, 2))
  assert.equal(storedIn(majlis, 'files').length, 1)
})

test('a scanner that fails leaves a file pending, is tried again as time goes on, and both are told once', async (t) => {
  let log = ''
  const { majlis, api } = await boot(t, {
    storage: 'folder',
    log: (lines) => {
      log += lines
    },
  })
  const project = majlis.seed.project()
  majlis.scanner.fail()
  await project.file()
  await project.file()
  const attempts = () => lookInto<{ attempts: number }>(majlis, 'select attempts from jobs')
  await eventually(() => assert.deepEqual(attempts(), [{ attempts: 1 }, { attempts: 1 }]))
  const states = async () =>
    (await api.get(`/projects/${project.id}/files`)).data.files.map(
      (file: { scan_state: string }) => file.scan_state,
    )
  assert.deepEqual(await states(), ['pending', 'pending'])
  majlis.clock.advance({ seconds: 1 })
  await eventually(() => assert.deepEqual(attempts(), [{ attempts: 2 }, { attempts: 2 }]))
  majlis.scanner.judge()
  majlis.clock.advance({ seconds: 2 })
  await majlis.scanner.settled()
  assert.deepEqual(await states(), ['clean', 'clean'])
  assert.deepEqual(attempts(), [])
  assert.equal(log.match(/could not be scanned/g)?.length, 1)
  assert.equal(log.match(/answers again/g)?.length, 1)
})

test('a file that is deleted while it is scanned is gone, with its job and its bytes', async (t) => {
  const { majlis, api } = await boot(t, { storage: 'folder' })
  majlis.scanner.hold()
  const file = await majlis.seed.project().file()
  await api.delete(`/files/${file.ref}`)
  majlis.scanner.infect()
  await eventually(() => assert.deepEqual(lookInto(majlis, 'select id from jobs'), []))
  await eventually(() => assert.deepEqual(storedIn(majlis, 'files'), []))
  await eventually(() => assert.deepEqual(storedIn(majlis, 'quarantine'), []))
  assert.deepEqual(lookInto(majlis, 'select id from files'), [])
})

test('an infected file is told to the operator with its threat', async (t) => {
  let log = ''
  const { majlis } = await boot(t, {
    log: (lines) => {
      log += lines
    },
  })
  majlis.scanner.infect()
  const file = await majlis.seed.project().file()
  await majlis.scanner.settled()
  await eventually(() =>
    assert.match(log, new RegExp(`${file.ref} is infected \\(Scripted-Threat\\)`)),
  )
})

test('at most two files are scanned at a time', async (t) => {
  const { majlis } = await boot(t, { storage: 'folder' })
  majlis.scanner.hold()
  const project = majlis.seed.project()
  for (let i = 0; i < 5; i++) await project.file()
  const claimed = () => lookInto(majlis, 'select id from jobs where claimed_at is not null').length
  await eventually(() => assert.equal(claimed(), 2))
  await new Promise((resolve) => setTimeout(resolve, 30))
  assert.equal(claimed(), 2)
  majlis.scanner.judge()
  await majlis.scanner.settled()
})

test('bytes that are gone are no fault of the scanner, and named to the operator', async (t) => {
  const { majlis } = await boot(t, { storage: 'folder' })
  majlis.scanner.hold()
  const project = majlis.seed.project()
  for (let i = 0; i < 3; i++) await project.file()
  for (const name of storedIn(majlis, 'files')) rmSync(join(majlis.folder ?? '', 'files', name))
  majlis.scanner.judge()
  const reasons = () =>
    lookInto<{ last_error: string | null }>(majlis, 'select last_error from jobs order by id')
  await eventually(() => assert.match(reasons().at(-1)?.last_error ?? '', /bytes of fil-.*backup/))
})
