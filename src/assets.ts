import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { getAsset, getRawAsset, isSea } from 'node:sea'

/**
 * Text that ships beside the code. In the executable it lies inside the file itself; in a checkout and in the
 * package it lies at the root, one level above both src/ and dist/.
 */
export function readAsset(name: string): string {
  if (isSea()) return getAsset(name, 'utf8')
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
}

/** A font by its place among the packages of fonts, under which build.mjs puts it into the executable too. */
export function readFont(name: string): Buffer {
  if (isSea()) return Buffer.from(getRawAsset(`fonts/${name}`) as ArrayBuffer)
  return readFileSync(createRequire(import.meta.url).resolve(`@expo-google-fonts/${name}`))
}
