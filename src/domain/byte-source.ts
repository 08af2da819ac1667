/** Bytes that are sent as they are asked for, so that a slow reader costs one slice of memory and not a file. */
export interface ByteSource {
  readonly size: number
  /** At most `length` bytes from `offset`; never fewer than one before the end. Rejects where the disk does. */
  read(offset: number, length: number): Promise<Uint8Array>
  /** Called once, however the sending ends. */
  close(): void
}
