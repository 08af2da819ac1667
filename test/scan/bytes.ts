import { createHash } from 'node:crypto'
import type { Scannable } from '../../src/scan/scanner.ts'

/** A file as the store would hand it over. */
export function stored(
  content: string | Buffer,
  faults: Partial<Scannable['bytes']> = {},
): Scannable {
  const whole = Buffer.from(content)
  const bytes = {
    size: whole.length,
    read: async (offset: number, length: number) => whole.subarray(offset, offset + length),
    close() {},
    ...faults,
  }
  return { bytes, sha256: createHash('sha256').update(whole).digest('hex') }
}

/** A file whose reader stops before the byte `hold` and waits there. */
export function heldAt(hold: number, content: Buffer) {
  let reach = () => {}
  let release = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const file = stored(content, {
    async read(offset, length) {
      if (offset + length > hold) {
        reach()
        await released
      }
      return content.subarray(offset, offset + length)
    },
  })
  return { file, reached, release }
}
