import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
// By the package's own name and as it is shipped: what a stranger gets.
import { type SandboxOptions, startMajlis } from 'majlis'

async function sandbox(t: TestContext, options: SandboxOptions = {}) {
  const majlis = await startMajlis(options)
  t.after(() => majlis.close())
  const headers = { authorization: `Bearer ${await majlis.key()}` }
  const project = majlis.seed.project()
  const path = `${majlis.baseUrl}/projects/${project.id}/files`
  const states = async () => {
    const { data } = (await (await fetch(path, { headers })).json()) as {
      data: { files: { scan_state: string }[] }
    }
    return data.files.map((file) => file.scan_state)
  }
  const download = (id: number) => fetch(`${path}/${id}/download`, { headers })
  return { majlis, project, states, download, path, headers }
}

for (const storage of ['memory', 'folder'] as const) {
  test(`a test scripts the scanner: held, then cleared, then infected, in ${storage}`, async (t) => {
    const { majlis, project, states, download } = await sandbox(t, { storage })
    majlis.scanner.hold()
    const file = await project.file({ name: 'a.txt', content: 'مرحبا' })
    assert.deepEqual(await states(), ['pending'])
    assert.equal((await download(file.id)).status, 403)
    await assert.rejects(majlis.scanner.settled(), /no verdict/)
    majlis.scanner.clear()
    await majlis.scanner.settled()
    assert.deepEqual(await states(), ['clean'])
    assert.equal(await (await download(file.id)).text(), 'مرحبا')
    majlis.scanner.infect()
    await project.folder().file()
    await project.file({ content: Uint8Array.of(0, 255) })
    await majlis.scanner.settled()
    assert.deepEqual(await states(), ['infected', 'clean'])
  })
}

test('a seeded file can be removed, and its folder with all in it', async (t) => {
  const { majlis, project, states, download } = await sandbox(t)
  const folder = project.folder()
  const inside = await folder.file()
  const outside = await project.file()
  await majlis.scanner.settled()
  outside.remove()
  folder.remove()
  assert.deepEqual(await states(), [])
  assert.equal((await download(inside.id)).status, 404)
})

test('markdown becomes a PDF in the sandbox too', async (t) => {
  const { majlis, download, path, headers } = await sandbox(t)
  const body = JSON.stringify({ name: 'تقرير.pdf', content: '# تقرير\n\nنص عربي and English.' })
  const { data } = (await (await fetch(path, { method: 'POST', headers, body })).json()) as {
    data: { id: number; content_type: string; size_bytes: number }
  }
  assert.equal(data.content_type, 'application/pdf')
  await majlis.scanner.settled()
  const bytes = Buffer.from(await (await download(data.id)).arrayBuffer())
  assert.equal(bytes.length, data.size_bytes)
  assert.equal(bytes.toString('latin1', 0, 5), '%PDF-')
})
