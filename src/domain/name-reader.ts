import { type Reading, readWords } from './name-words.ts'

/** One state of the rules by which names are read and put into the index. */
export interface Reader {
  readonly version: number
  read(text: string): Reading
}

/**
 * The newest comes last. Whoever changes what a text is read as, or the terms that are made of it, gives the rules a
 * new version here, and leaves the old ones beside it for one release: by them the index that is there goes on
 * answering while the server builds the new one.
 */
export const readers: readonly Reader[] = [{ version: 1, read: readWords }]

export function newestOf(known: readonly Reader[]): Reader {
  return known.at(-1) as Reader
}

/** The reader of an index, or the newest for one whose rules are forgotten. */
export function readerOf(known: readonly Reader[], version: number): Reader {
  return known.find((reader) => reader.version === version) ?? newestOf(known)
}
