import type { ByteSource } from '../domain/byte-source.ts'
import { describeBytes, type Vault } from './vault.ts'

/** For servers that live as long as a test. */
export function memoryVault(): Vault {
  const files = new Map<string, Uint8Array>()
  const quarantine = new Map<string, Uint8Array>()

  async function open(name: string, ...places: Map<string, Uint8Array>[]): Promise<ByteSource> {
    const bytes = places.map((place) => place.get(name)).find((found) => found !== undefined)
    if (bytes === undefined) throw new Error(`There are no bytes ${name}`)
    return {
      size: bytes.length,
      read: async (offset, length) => bytes.subarray(offset, offset + length),
      close() {},
    }
  }

  function move(name: string, from: Map<string, Uint8Array>, to: Map<string, Uint8Array>): void {
    const bytes = from.get(name)
    if (bytes === undefined) return
    from.delete(name)
    to.set(name, bytes)
  }

  return {
    async put(bytes) {
      const stored = await describeBytes(bytes)
      files.set(stored.name, Uint8Array.from(bytes))
      return stored
    },
    open: (name) => open(name, files),
    openAnywhere: (name) => open(name, files, quarantine),
    async remove(name) {
      files.delete(name)
      quarantine.delete(name)
    },
    isQuarantined: async (name) => quarantine.has(name),
    quarantine: async (name) => move(name, files, quarantine),
    release: async (name) => move(name, quarantine, files),
  }
}
