import type {
  NodeCompiler,
  NodeTypstDocument,
  RenderPdfOpts,
} from '@myriaddreamin/typst-ts-node-compiler'
import { readFont } from '../assets.ts'
import type { Document } from './document.ts'
import { FONTS } from './fonts.ts'
import { TEMPLATE } from './template.ts'

export type Typesetter = (document: Document) => Buffer

/** What Typst says no to. */
export class Unsettable extends Error {}

const LARGEST_TAGGED = 1024 * 1024

/** Typst with our fonts, and a root that holds nothing: no file could be read even if the template asked for one. */
export async function loadTypst(): Promise<Typesetter> {
  const { NodeCompiler } = await import('@myriaddreamin/typst-ts-node-compiler')
  const compiler = NodeCompiler.create({
    workspace: '/nonexistent',
    fontArgs: [{ fontBlobs: FONTS.map(readFont) }],
  })
  return (document) => setDocument(compiler, document)
}

/** Tags tell a screen reader what is what, and make a long list ten times as large: it goes without them. */
function exported(compiler: NodeCompiler, document: NodeTypstDocument): Buffer {
  const tagged = compiler.pdf(document)
  if (tagged.length <= LARGEST_TAGGED) return tagged
  return compiler.pdf(document, { pdfTags: false } as RenderPdfOpts)
}

function setDocument(compiler: NodeCompiler, document: Document): Buffer {
  try {
    const compiled = compiler.compile({
      mainFileContent: TEMPLATE,
      inputs: { document: JSON.stringify(document) },
    })
    if (compiled.result) return exported(compiler, compiled.result)
    throw new Unsettable(JSON.stringify(compiled.takeError()?.shortDiagnostics))
  } finally {
    // What it remembers of one document is of no use for the next.
    compiler.evictCache(0)
  }
}
