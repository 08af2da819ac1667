import type { ByteSource } from '../domain/byte-source.ts'
import { Failure } from '../domain/failure.ts'

/** All of `bytes` in order, slice by slice: exactly `bytes.size` bytes, or it throws. */
export async function* slices(bytes: ByteSource, length: number): AsyncGenerator<Uint8Array, void> {
  const { size } = bytes
  let offset = 0
  while (offset < size) {
    const wanted = Math.min(length, size - offset)
    const slice = await bytes.read(offset, wanted)
    if (slice.length === 0) break
    if (slice.length > wanted)
      throw new Error(`${slice.length} bytes were read instead of ${wanted}`)
    yield slice
    offset += slice.length
  }
  if (offset !== size) {
    throw new Failure(
      `The stored file ends after ${offset} of ${size} bytes: restore it from a backup.`,
    )
  }
}
