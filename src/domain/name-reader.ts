import { type Reading, readWords } from './name-words.ts'

/** One state of the rules by which names are read and put into the index. */
export interface Reader {
  readonly version: number
  read(text: string): Reading
}

/** Which characters are letters, and how they are composed, is said by the Unicode of the Node that runs this. */
const UNICODE = Math.round(Number.parseFloat(process.versions.unicode ?? '0') * 10)

/** With another Unicode the same rules may read another word. */
function versionOf(rules: number): number {
  return rules * 1000 + UNICODE
}

/**
 * The newest comes last. Whoever changes what a text is read as, or the terms that are made of it, gives the rules a
 * new version here, and leaves the old ones beside it for one release: by them the index that is there goes on
 * answering while the server builds the new one. A step in src/db/migrations, be it an empty one, comes along: then no
 * command of the new program writes beside a server of the old.
 */
export const readers: readonly Reader[] = [{ version: versionOf(1), read: readWords }]

export function newestOf(known: readonly Reader[]): Reader {
  return known.at(-1) as Reader
}

/** The reader of an index, or the newest for one whose rules are forgotten. */
export function readerOf(known: readonly Reader[], version: number): Reader {
  return known.find((reader) => reader.version === version) ?? newestOf(known)
}
