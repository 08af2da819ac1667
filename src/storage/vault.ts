import { randomBytes, webcrypto } from 'node:crypto'
import type { ByteSource } from '../domain/byte-source.ts'

/** Where the bytes of uploads are kept, by random names: what people call their files is data, and never a path. */
export interface Vault {
  /** Whole and durable once it resolves. Until a row names it, a crash makes it an orphan. */
  put(bytes: Uint8Array): Promise<StoredBytes>
  /** Those that may be served: never what lies in quarantine. */
  open(name: string): Promise<ByteSource>
  /** Those that are to be scanned, wherever they lie. */
  openAnywhere(name: string): Promise<ByteSource>
  /** From wherever they lie. What is not there any more is no fault. */
  remove(name: string): Promise<void>
  quarantine(name: string): Promise<void>
  isQuarantined(name: string): Promise<boolean>
  /** Out of quarantine; nothing happens to those that were never in it. */
  release(name: string): Promise<void>
}

export interface StoredBytes {
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** The digest is made off the main thread: five megabytes take it milliseconds. */
export async function describeBytes(bytes: Uint8Array): Promise<StoredBytes> {
  const digest = await webcrypto.subtle.digest('SHA-256', bytes)
  return {
    name: randomBytes(16).toString('hex'),
    size: bytes.length,
    sha256: Buffer.from(digest).toString('hex'),
  }
}
