import { spawnSync } from 'node:child_process'
import type { TestContext } from 'node:test'
import { directionOf } from '../../src/pdf/direction.ts'
import { hasProgram } from '../support/component.ts'

/** Poppler's programs, which read a PDF as a reader's own program would. */
export function hasPoppler(t: TestContext): boolean {
  return hasProgram(t, 'pdftotext', 'poppler-utils')
}

/** The words of a PDF in the order that they are read in, without poppler's marks of direction. */
export function textOf(pdf: Buffer): string {
  return run('pdftotext', ['-', '-'], pdf).replaceAll(
    /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '',
  )
}

export interface Word {
  text: string
  left: number
  right: number
  top: number
}

/** Every word with its place on the page; here poppler writes Arabic letters from left to right, as they stand. */
export function wordsOf(pdf: Buffer): Word[] {
  const page = run('pdftotext', ['-bbox', '-', '-'], pdf)
  const found = page.matchAll(
    /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="[\d.]+">(.*?)<\/word>/g,
  )
  return [...found].map(([, left, top, right, text = '']) => ({
    text: directionOf(text) === 'rtl' ? [...text].reverse().join('') : text,
    left: Number(left),
    right: Number(right),
    top: Number(top),
  }))
}

export function run(program: string, words: string[], input: Buffer): string {
  const { stdout, stderr, status, error } = spawnSync(program, words, { input })
  if (status !== 0) throw new Error(`${program} failed: ${error ?? stderr}`)
  return stdout.toString('utf8')
}
