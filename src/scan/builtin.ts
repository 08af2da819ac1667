import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { ByteSource } from '../domain/byte-source.ts'
import { Failure } from '../domain/failure.ts'
import { excerpt } from '../domain/text.ts'
import type { Scanner } from './scanner.ts'
import { slices } from './slices.ts'

/** The threat of each digest (SHA-256, lower-case hexadecimal). */
type DigestList = ReadonlyMap<string, string>

/** The SHA-256 of the 68 bytes: with the bytes themselves in it, virus scanners would quarantine this program. */
const EICAR_SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f'
const EICAR_LENGTH = 68
const EICAR_PADDED = 128
const EICAR_PADDING = /^[\t\n\r \x1a]*$/

const LISTED = 'Listed-SHA256'

/** No antivirus: it knows the EICAR test file, and the files whose digests stand in `listFile`. */
export function builtinScanner(listFile: string): Scanner {
  const currentList = digestLists(listFile)
  return {
    async scan({ bytes, sha256 }) {
      const threat = (await currentList()).get(sha256)
      if (threat !== undefined) return { state: 'infected', threat }
      if (await isEicar(bytes)) return { state: 'infected', threat: 'EICAR-Test-File' }
      return { state: 'clean' }
    },
  }
}

/** How many digests `file` lists. Throws where a scan would. */
export async function readDigestList(file: string): Promise<number> {
  return (await digestLists(file)()).size
}

/** Answers the list as it stands, and reads the file only when it is not the one that was read last. */
function digestLists(file: string): () => Promise<DigestList> {
  let last: { stamp: string; list: DigestList } | undefined
  return async () => {
    try {
      const stamp = await stampOf(file)
      if (last?.stamp === stamp) return last.list
      // The stamp is older than what is read: a change in between is seen the next time.
      const list = parseList(file, await readFile(file, 'utf8'))
      last = { stamp, list }
      return list
    } catch (error) {
      if (error instanceof Failure) throw error
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return new Map()
      throw new Failure(
        `The list of digests ${file} cannot be read (${code}): let this user read it, or remove it.`,
      )
    }
  }
}

async function stampOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true })
  if (!found.isFile()) {
    throw new Failure(`${file} is not a file: put a list of SHA-256 digests there, or remove it.`)
  }
  // The time of change too, for a copy that brings its old time of modification with it.
  return [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ')
}

function parseList(file: string, text: string): DigestList {
  const list = new Map<string, string>()
  for (const [index, line] of text.split('\n').entries()) {
    // Trimming takes a byte order mark and the CR of CRLF away too.
    const written = line.trim()
    if (written === '' || written.startsWith('#')) continue
    const [, digest, name] = /^([\da-f]{64})(?:\s+([^\p{Cc}]+))?$/iu.exec(written) ?? []
    if (digest === undefined) {
      throw new Failure(
        `${file}, line ${index + 1}: ${excerpt(written)} is not a SHA-256 digest: write 64 hexadecimal digits, then a name if you like, or put # before the line.`,
      )
    }
    list.set(digest.toLowerCase(), name ?? LISTED)
  }
  return list
}

/** As its makers define it: the 68 bytes, then nothing but white space, at most 128 bytes in all. */
async function isEicar(bytes: ByteSource): Promise<boolean> {
  if (bytes.size < EICAR_LENGTH || bytes.size > EICAR_PADDED) return false
  const parts: Uint8Array[] = []
  for await (const slice of slices(bytes, EICAR_PADDED)) parts.push(Uint8Array.from(slice))
  const whole = Buffer.concat(parts)
  const head = whole.subarray(0, EICAR_LENGTH)
  if (createHash('sha256').update(head).digest('hex') !== EICAR_SHA256) return false
  return EICAR_PADDING.test(whole.toString('latin1', EICAR_LENGTH))
}
