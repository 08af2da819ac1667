import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { readFont } from '../assets.ts'
import type { Document } from './document.ts'
import { FONTS } from './fonts.ts'
import { TEMPLATE } from './template.ts'

export type Typesetter = (document: Document) => Buffer

/** Typst with our fonts, and a root that holds nothing: no file could be read even if the template asked for one. */
export async function loadTypst(): Promise<Typesetter> {
  const { NodeCompiler } = await import('@myriaddreamin/typst-ts-node-compiler')
  const compiler = NodeCompiler.create({
    workspace: '/nonexistent',
    fontArgs: [{ fontBlobs: FONTS.map(readFont) }],
  })
  return (document) => setDocument(compiler, document)
}

function setDocument(compiler: NodeCompiler, document: Document): Buffer {
  try {
    const compiled = compiler.compile({
      mainFileContent: TEMPLATE,
      inputs: { document: JSON.stringify(document) },
    })
    if (compiled.result) return compiler.pdf(compiled.result)
    throw new Error(JSON.stringify(compiled.takeError()?.shortDiagnostics))
  } finally {
    // What it remembers of one document is of no use for the next.
    compiler.evictCache(0)
  }
}
