import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, type TestContext, test } from 'node:test'
import { pdfRenderer } from '../../src/pdf/renderer.ts'
import { hasPoppler, run, textOf, type Word, wordsOf } from './poppler.ts'

suite('a page as poppler reads it', () => {
  const renderer = pdfRenderer()
  after(() => renderer.close())
  const render = (markdown: string) => renderer.render(markdown, 'file')

  /** The words by their texts; a test names each of its words once. */
  async function placed(markdown: string): Promise<(text: string) => Word> {
    const words = wordsOf(await render(markdown))
    return (text) => {
      const word = words.find((each) => each.text === text)
      assert.ok(word, `${text} is among ${words.map((each) => each.text).join(' ')}`)
      return word
    }
  }

  for (const [name, text] of [
    ['English', 'The office filed its fifth affidavit.'],
    ['Arabic', 'اجتمع الفريق صباح الأحد لمراجعة خطة الإطلاق والميزانية في الرياض'],
    ['lam-alef', 'لا إله إلا الله الإسلام لأن الآن لإنهاء'],
    ['tatweel', 'العـــربية'],
    ['Hebrew', 'שלום עולם'],
  ] as const) {
    test(`${name} can be searched and copied`, async (t) => {
      if (!hasPoppler(t)) return
      assert.equal(
        textOf(await render(text))
          .trim()
          .split('\n')[0],
        text,
      )
    })
  }

  // Typst before 0.14 gives the letter under a mark no text, there and wherever its shape comes again.
  test('vowel marks take no letter away, neither theirs nor one that comes later', async (t) => {
    if (!hasPoppler(t)) return
    const text = textOf(await render('قدّم المورّد شكرًا جدًا ثانيًا\n\nقدم المورد الشكر في الرياض'))
    const [first = '', , second = ''] = text.split('\n')
    const letters = first.replaceAll(/[\p{M} ]/gu, '')
    assert.equal(letters, 'قدمالموردشكراجداثانيا')
    assert.equal(second, 'قدم المورد الشكر في الرياض')
  })

  test('the words of a mixed line stand in the order of its direction', async (t) => {
    if (!hasPoppler(t)) return
    const rtl = await placed('أول ثاني Third Fourth خامس')
    assertFromRight(rtl('أول'), rtl('ثاني'), rtl('Fourth'), rtl('Third'), rtl('خامس'))
    const ltr = await placed('First Second ثالث رابع Fifth')
    assertFromRight(ltr('Fifth'), ltr('ثالث'), ltr('رابع'), ltr('Second'), ltr('First'))
  })

  test('a right-to-left list has its markers on the right, also beside an English item', async (t) => {
    if (!hasPoppler(t)) return
    const at = await placed('- [x] عربي\n- [ ] English')
    assertFromRight(at('☑'), at('عربي'))
    assertFromRight(at('☐'), at('English'))
    assert.ok(at('English').right > 400)
    const other = await placed('3. English')
    assertFromRight(other('English'), other('3.'))
  })

  test('a right-to-left table has its first column on the right', async (t) => {
    if (!hasPoppler(t)) return
    const at = await placed('|عربي|second|\n|-|-|\n|first|ثاني|')
    assertFromRight(at('عربي'), at('second'))
    assertFromRight(at('first'), at('ثاني'))
    const other = await placed('|one|عربي|\n|-|-|\n|a|b|')
    assertFromRight(other('عربي'), other('one'))
  })

  test('code reads from left to right and keeps its indentation, also when it is Arabic', async (t) => {
    if (!hasPoppler(t)) return
    const at = await placed('عربي\n\n```\nتعليق\n    indented\n```\n\nمسار `/etc/x -y` هنا')
    assert.ok(at('تعليق').left < 100)
    assert.ok(at('indented').left > at('تعليق').left + 10)
    assertFromRight(at('مسار'), at('-y'), at('/etc/x'), at('هنا'))
  })

  test('nothing runs off the page', async (t) => {
    if (!hasPoppler(t)) return
    const long = 'x'.repeat(700)
    const cells = `|${'a long cell | '.repeat(12)}\n${'|-'.repeat(12)}|\n|${long}|`
    const pages = [
      long,
      `\`${long}\``,
      `\`\`\`\n${long}\n\`\`\``,
      cells,
      `> - ${long}`,
      `# ${long}`,
    ]
    const fitting = [`\`${'word '.repeat(60)}\``, 'W'.repeat(60), `# ${'m'.repeat(50)}`]
    for (const markdown of [...pages, ...fitting]) {
      const words = wordsOf(await render(markdown))
      const outside = words.filter(({ left, right }) => left < 60 || right > 535)
      assert.deepEqual(outside, [], markdown.slice(0, 20))
      const letters = words.map(({ text }) => text.replaceAll(/[^x]/g, '')).join('')
      assert.equal(letters.length, markdown.split('x').length - 1)
    }
  })

  test('what is markup to Typst comes out as it was written, in every place', async (t) => {
    if (!hasPoppler(t)) return
    const folder = mkdtempSync(join(tmpdir(), 'majlis-pdf-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'secret'), 'sesame')
    for (const hostile of [
      `#read("${folder}/secret")`,
      '#import"@preview/cetz:0.3.0"',
      '#panic("x")',
      '$x^2$',
      '@ref',
      '<label>',
      '"quoted"',
      "'single'",
      '\\u{41}',
      '#{',
      '}]])',
      '//comment',
      '/*open',
      '=title',
      '%(key)s',
    ]) {
      const escaped = hostile.replaceAll(/[\\`*_{}[\]()#+.!|<>$"'~&-]/g, '\\$&')
      const text = textOf(await render(everywhere(hostile, escaped))).replaceAll(/\s+/g, '')
      assert.equal(text.split(hostile.replaceAll(' ', '')).length - 1, 8, hostile)
      assert.doesNotMatch(text, /sesame/)
    }
  })

  test('a link carries its address, whatever is in it', async (t) => {
    if (!hasPoppler(t)) return
    const pdf = await render('[x](https://a.example/?q=#read("y")&z=\\)) [y](javascript:alert)')
    const uris = [...pdf.toString('latin1').matchAll(/\/URI \((.*?)\)\n/g)].map(([, uri]) => uri)
    assert.deepEqual(uris.length, 1)
    assert.match(String(uris[0]), /^https:\/\/a\.example\/\?q=#read/)
  })

  test('the fonts are embedded, as subsets', async (t) => {
    if (!hasPoppler(t)) return
    const pdf = await render('# عنوان *مائل*\n\nText *italic* **bold** `code` ☑ 🎉 中文 שלום')
    const fonts = run('pdffonts', ['-'], pdf).trim().split('\n').slice(2)
    assert.ok(fonts.length >= 5, fonts.join('\n'))
    for (const font of fonts) assert.match(font, / yes yes yes +\d+ +0$/)
  })

  test('the file names its title and its language, and is A4', async (t) => {
    if (!hasPoppler(t)) return
    const arabic = await render('# تقرير "المتجر" (2026) \\\\\n\nنص')
    const info = run('pdfinfo', ['-'], arabic)
    assert.match(info, /^Title: +تقرير "المتجر" \(2026\) \\$/m)
    assert.match(info, /^Page size: +595\.\d+ x 841\.\d+ pts \(A4\)$/m)
    assert.match(arabic.toString('latin1'), /\/Lang \(ar\)/)
    const english = await render('text')
    assert.match(run('pdfinfo', ['-'], english), /^Title: +file$/m)
    assert.match(english.toString('latin1'), /\/Lang \(en\)/)
  })

  test('the same text is the same file', async () => {
    assert.ok((await render('# a\n\nسلام')).equals(await render('# a\n\nسلام')))
  })

  test('the header of a table stands on each of its pages, and pages have numbers', async (t: TestContext) => {
    if (!hasPoppler(t)) return
    const pdf = await render(`|Heading|b|\n|-|-|\n${'|c|d|\n'.repeat(100)}`)
    const pages = textOf(pdf).split('\f').slice(0, -1)
    assert.ok(pages.length > 2)
    pages.forEach((page, i) => {
      assert.match(page, /Heading/)
      assert.equal(page.trim().split('\n').at(-1), String(i + 1))
    })
  })
})

/** Where the text may be written with escapes, and where it stands for itself: eight times to be seen. */
function everywhere(hostile: string, escaped: string): string {
  return [
    `# ${escaped}`,
    escaped,
    `**${escaped}** and [${escaped}](https://a.example/${encodeURIComponent(hostile)})`,
    `- ${escaped}`,
    `> ![${escaped}](x.png)`,
    `|head|\n|-|\n|${escaped}|`,
    `\`\`\`${hostile.replaceAll(/[`\s]/g, '')}\n${hostile}\n\`\`\``,
  ].join('\n\n')
}

function assertFromRight(...words: Word[]): void {
  words.slice(1).forEach((word, i) => {
    const before = words[i] as Word
    assert.ok(before.left > word.left, `${before.text} stands right of ${word.text}`)
  })
}
