import { readFileSync } from 'node:fs'
import { getAsset, isSea } from 'node:sea'

/**
 * Text that ships beside the code. In the executable it lies inside the file itself; in a checkout and in the
 * package it lies at the root, one level above both src/ and dist/.
 */
export function readAsset(name: string): string {
  if (isSea()) return getAsset(name, 'utf8')
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
}
