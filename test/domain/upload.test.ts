import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { attachmentDisposition } from '../../src/domain/attachment.ts'
import { extensionOf, mediaTypeOf } from '../../src/domain/media-type.ts'
import { textKind } from '../../src/domain/text-extensions.ts'
import { readUpload } from '../../src/domain/upload.ts'

const extensions: [name: string, extension: string][] = [
  ['a.txt', 'txt'],
  ['A.TXT', 'txt'],
  ['a.tar.gz', 'gz'],
  ['README', ''],
  ['.env', ''],
  ['.env.local', 'local'],
  ['trailing.', ''],
  ['dir.d/file', ''],
  ['dir.d\\file.md', 'md'],
  ['..', ''],
  ['تقرير.pdf', 'pdf'],
]

test('the extension is what follows the last dot of the last part of a name', () => {
  for (const [name, extension] of extensions) assert.equal(extensionOf(name), extension, name)
})

const plain = {
  documents: ['txt', 'md', 'rst', 'log', 'srt', 'eml', 'diff'],
  data: [
    'csv',
    'json',
    'yaml',
    'yml',
    'toml',
    'ini',
    'env',
    'xml',
    'sql',
    'ics',
    'geojson',
    'ipynb',
  ],
  markup: ['html', 'css', 'scss', 'svg', 'tex', 'rtf', 'vue'],
  code: [
    'js',
    'ts',
    'tsx',
    'py',
    'rb',
    'go',
    'rs',
    'java',
    'kt',
    'c',
    'cpp',
    'cs',
    'php',
    'sh',
    'swift',
    'r',
  ],
}

test('documents, data and config, markup and styles, and source code are plain text', () => {
  for (const extension of Object.values(plain).flat()) {
    assert.ok(textKind(extension), extension)
    assert.ok('bytes' in readUpload({ name: `a.${extension}`, content: 'x' }), extension)
  }
})

test('what is made of bytes is no plain text', () => {
  const binary =
    'doc docx xls xlsx ppt pptx odt png jpg gif webp heic mp3 mp4 mov zip gz tar 7z rar exe dll so apk dmg iso bin psd ai sketch ttf woff2 sqlite class jar wasm'
  for (const extension of binary.split(' ')) {
    assert.equal(textKind(extension), undefined, extension)
    assert.ok('fault' in readUpload({ name: `a.${extension}`, content: 'x' }), extension)
    assert.ok('bytes' in readUpload({ name: `a.${extension}`, content_base64: 'eA==' }), extension)
  }
})

const types: [name: string, asText: string, asBytes: string][] = [
  ['a.txt', 'text/plain', 'text/plain'],
  ['a.md', 'text/markdown', 'text/markdown'],
  ['a.csv', 'text/csv', 'text/csv'],
  ['a.json', 'application/json', 'application/json'],
  ['a.svg', 'image/svg+xml', 'image/svg+xml'],
  ['a.html', 'text/html', 'text/html'],
  ['a.ts', 'text/plain', 'text/plain'],
  ['a.rs', 'text/plain', 'text/plain'],
  ['a.org', 'text/plain', 'text/plain'],
  ['a.py', 'text/plain', 'text/plain'],
  ['a.pdf', 'application/pdf', 'application/pdf'],
  ['a.PNG', 'image/png', 'image/png'],
  ['README', 'text/plain', 'application/octet-stream'],
  ['a.nobodyknows', 'application/octet-stream', 'application/octet-stream'],
]

test('the media type comes from the extension', () => {
  for (const [name, asText, asBytes] of types) {
    assert.deepEqual([mediaTypeOf(name, true), mediaTypeOf(name, false)], [asText, asBytes], name)
  }
})

test('any bytes sent as base64 are read as they are', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const content_base64 = Buffer.from(bytes).toString('base64')
      const upload = readUpload({ name: 'a.bin', content_base64 })
      assert.ok('bytes' in upload)
      assert.deepEqual(new Uint8Array(upload.bytes), bytes)
    }),
  )
})

test('markdown for a PDF is capped at 256 KB, counted in bytes', () => {
  const full = 'م'.repeat(128 * 1024)
  assert.ok('markdown' in readUpload({ name: 'a.pdf', content: full }))
  assert.ok('fault' in readUpload({ name: 'a.pdf', content: `${full}x` }))
})

test('the title of a PDF is its name without the extension', () => {
  const upload = readUpload({ name: 'تقرير مارس.PDF', content: '' })
  assert.ok('markdown' in upload)
  assert.equal(upload.title, 'تقرير مارس')
})

test('whatever a file is called, its header is ASCII in one line and gives the name back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      const name = text.toWellFormed()
      const header = attachmentDisposition(name)
      const parts = /^attachment; filename="([ !#-[\]-~]*)"; filename\*=UTF-8''([\w%!.~-]*)$/.exec(
        header,
      )
      assert.ok(parts, header)
      assert.equal(decodeURIComponent(parts[2] as string), name)
    }),
  )
})
