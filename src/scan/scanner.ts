import type { ByteSource } from '../domain/byte-source.ts'

export type Verdict =
  | { readonly state: 'clean' }
  | { readonly state: 'infected'; readonly threat: string }

/** What there is to scan: the bytes, and the SHA-256 (lower-case hexadecimal) they were stored with. */
export interface Scannable {
  readonly bytes: ByteSource
  readonly sha256: string
}

export interface Scanner {
  /**
   * Rejects where there is no verdict: the file then stays pending and is tried again. The caller closes the bytes.
   * Once `signal` is aborted nobody waits for one any more, and nothing may keep the process from ending.
   */
  scan(file: Scannable, signal?: AbortSignal): Promise<Verdict>
}
