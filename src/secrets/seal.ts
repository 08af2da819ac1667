import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { Failure } from '../domain/failure.ts'

/** Keeps what must be read back, such as a password for another server, from those who only have the database. */
export interface Seal {
  seal(text: string): Buffer
  open(sealed: Uint8Array): string
}

const ALGORITHM = 'aes-256-gcm'
const KEY_LENGTH = 32
const IV_LENGTH = 12
const TAG_LENGTH = 16

/** With a key of its own in a file beside the database, made when something is first sealed. */
export function fileSeal(file: string): Seal {
  const { seal } = sealWith(() => read(file) ?? make(file))
  const { open } = sealWith(() => read(file) ?? missing(file))
  return { seal, open }
}

/** For a server that lives as long as a test. */
export function passingSeal(): Seal {
  const key = randomBytes(KEY_LENGTH)
  return sealWith(() => key)
}

function sealWith(key: () => Buffer): Seal {
  return {
    seal(text) {
      const iv = randomBytes(IV_LENGTH)
      const cipher = createCipheriv(ALGORITHM, key(), iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv(ALGORITHM, key(), bytes.subarray(0, IV_LENGTH))
      decipher.setAuthTag(bytes.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH))
      const body = bytes.subarray(IV_LENGTH + TAG_LENGTH)
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch {
        throw new Failure(
          'A password that was kept cannot be read with this key: put the secret.key of the same backup beside the database, or connect again.',
        )
      }
    },
  }
}

function missing(file: string): never {
  throw new Failure(
    `${file} is not there, and without it the passwords of connected calendars cannot be read: put back the one of your backup, or connect them again.`,
  )
}

/** Linked into place when whole, so that of two who make it at once one wins, and both have the same. */
function make(file: string): Buffer {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`
  writeFileSync(temporary, randomBytes(KEY_LENGTH), { flag: 'wx', mode: 0o600, flush: true })
  try {
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(temporary)
  }
  return read(file) as Buffer
}

function read(file: string): Buffer | null {
  let key: Buffer
  try {
    key = readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  if (key.length === KEY_LENGTH) return key
  throw new Failure(`${file} is no key of Majlis: put back the one of your backup.`)
}
