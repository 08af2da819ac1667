import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startTypesetter } from '../../src/pdf/process.ts'
import { PdfBusy, PdfRefusal } from '../../src/pdf/refusal.ts'
import { type PdfRenderer, pdfRenderer } from '../../src/pdf/renderer.ts'

const MOST = 256 * 1024
const fill = (text: string) => text.repeat(Math.ceil(MOST / Buffer.byteLength(text))).slice(0, MOST)

/** Far beyond any deadline: one paragraph of mixed letters, whose lines are sought over and over. */
const endless = 'عربي and '.repeat(20_000)

test('nothing is started before the first text', () => {
  const before = process.getActiveResourcesInfo()
  pdfRenderer()
  assert.deepEqual(process.getActiveResourcesInfo(), before)
})

test('texts that come at once are set one after the other, each as its own', async (t) => {
  const renderer = prepared(t)
  const texts = Array.from({ length: 5 }, (_, i) => `# Title ${i}`)
  const pdfs = await Promise.all(texts.map((text) => renderer.render(text, '')))
  pdfs.forEach((pdf, i) => {
    assert.ok(pdf.includes('%PDF-'))
    assert.ok(pdf.includes(`Title ${i}`))
  })
})

test('a text that takes too long is refused at the deadline, and the next one is set', async (t) => {
  const renderer = prepared(t, 500)
  await renderer.render('warm', '')
  const late = renderer.render(endless, '')
  const next = renderer.render('next', '')
  await assert.rejects(late, {
    name: 'PdfRefusal',
    message: 'took longer than 0.5 seconds to set as a PDF: shorten or simplify it',
  })
  assert.ok((await next).includes('%PDF-'))
})

test('who has waited too long for the texts before his own is told to try later', async (t) => {
  const renderer = pdfRenderer({ deadline: 400, patience: 200 })
  t.after(() => renderer.close())
  await renderer.render('warm', '')
  const late = renderer.render(endless, '')
  const behind = renderer.render('behind', '')
  await assert.rejects(late, /took longer/)
  await assert.rejects(behind, PdfBusy)
  assert.ok((await renderer.render('next', '')).includes('%PDF-'))
})

test('waiting for others does not count against the deadline', async (t) => {
  const renderer = prepared(t, 1_000)
  await renderer.render('warm', '')
  const late = [renderer.render(endless, ''), renderer.render(endless, '')]
  const last = renderer.render('last', '')
  for (const each of late) await assert.rejects(each, PdfRefusal)
  assert.ok((await last).includes('%PDF-'))
})

test('who brings one text waits behind one of those who bring many', async (t) => {
  const renderer = prepared(t)
  await renderer.render('warm', '')
  const order: string[] = []
  const set = async (name: string, lane: number) => {
    await renderer.render(name, '', lane)
    order.push(name)
  }
  await Promise.all([set('a1', 1), set('a2', 1), set('a3', 1), set('b1', 2)])
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3'])
})

test('a link that is too long to be one is set as text', async (t) => {
  const renderer = prepared(t)
  const pdf = await renderer.render(`[there](https://x.example/${'a'.repeat(9_000)})`, '')
  assert.ok(pdf.includes('%PDF-'))
})

test('a long list is set without tags, and stays small', async (t) => {
  const pdf = await prepared(t).render('- item number one is here\n'.repeat(9_500), '')
  assert.ok(pdf.length < 2 * 1024 * 1024, `${pdf.length} bytes`)
})

test('a refusal for what is written leaves the process as it is', async (t) => {
  const renderer = prepared(t)
  await assert.rejects(renderer.render('>'.repeat(100), ''), {
    name: 'PdfRefusal',
    message: /^nests lists and quotes/,
  })
  assert.ok(await renderer.render('next', ''))
})

test('a typesetter that falls is a refusal that keeps the cause for the log', async () => {
  const typesetter = startTypesetter()
  await typesetter.ready
  const reply = typesetter.set({ markdown: endless, title: '' })
  typesetter.kill()
  await assert.rejects(reply, (error) => {
    assert.ok(error instanceof PdfRefusal)
    assert.match(error.message, /^is more than can be set as a PDF/)
    assert.match(String(error.cause), /SIGKILL/)
    return true
  })
  assert.equal(typesetter.isAlive(), false)
})

test('a renderer that is closed refuses what waits and what comes', async () => {
  const renderer = pdfRenderer()
  await renderer.render('warm', '')
  const [first, second] = [renderer.render(endless, ''), renderer.render('second', '')]
  const refused = Promise.all([first, second].map((each) => assert.rejects(each)))
  await setTimeout(50)
  await renderer.close()
  await refused
  await assert.rejects(renderer.render('third', ''), /server is closing/)
})

test('a process that has set a PDF ends by itself, with the typesetter still warm', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'majlis-pdf-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const module = new URL('../../src/pdf/renderer.ts', import.meta.url)
  const code = `
    import { pdfRenderer } from ${JSON.stringify(module.href)}
    const pdf = await pdfRenderer().render('text', '')
    console.log(pdf.length > 1000)`
  writeFileSync(join(folder, 'set.mjs'), code)
  const words = ['--import', import.meta.resolve('tsx'), join(folder, 'set.mjs')]
  const { status, stdout } = spawnSync(process.execPath, words, { timeout: 20_000 })
  assert.equal(status, 0)
  assert.equal(stdout.toString(), 'true\n')
})

test('the worst texts of 256 KB end in a PDF or a refusal, and the server answers all the while', async (t) => {
  const renderer = prepared(t, 600)
  await renderer.render('warm', '')
  // A text that were set in this thread would let it turn a handful of times.
  let turns = 0
  const ticking = setInterval(() => turns++, 1)
  for (const text of worst) {
    await renderer.render(text, '').catch((error) => assert.ok(error instanceof PdfRefusal))
    assert.ok(await renderer.render('next', ''), JSON.stringify(text.slice(0, 12)))
  }
  clearInterval(ticking)
  assert.ok(turns > 50 * worst.length, `${turns} turns`)
})

const worst = [
  fill('>'),
  fill('['),
  fill('![]('),
  fill('- '),
  fill('*a '),
  fill('`a` '),
  `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(30_000)}`,
  `${'|a'.repeat(30_000)}|\n${'|-'.repeat(30_000)}|\n`,
  fill('a'),
  fill('م'),
  fill('سلام '),
  fill('a\n\n'),
  fill('a\\\n'),
  fill('[a]: b\n'),
  fill('\x01'),
  `a${fill('\u0301')}`,
  fill('\u202eab\u202c\u2066\u0627\u2069'),
  fill('\u2067'),
  fill('اa'),
  fill('🎉'),
]

function prepared(t: TestContext, deadline?: number): PdfRenderer {
  const renderer = pdfRenderer(deadline === undefined ? {} : { deadline })
  t.after(() => renderer.close())
  return renderer
}
