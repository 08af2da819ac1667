import { spawnSync } from 'node:child_process'
import type { TestContext } from 'node:test'

/**
 * Whether a program that a test needs is on this machine. Where it is not, CI fails and a person's machine skips the
 * test, both with the sentence that says how to install it.
 */
export function hasProgram(t: TestContext, program: string, debianPackage: string): boolean {
  if (!spawnSync(program, ['--version']).error) return true
  const sentence = `${program} is not installed: apt-get install ${debianPackage}`
  if (process.env.CI === 'true') throw new Error(sentence)
  t.skip(sentence)
  return false
}
