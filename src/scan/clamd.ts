import type { ByteSource } from '../domain/byte-source.ts'
import { Failure } from '../domain/failure.ts'
import { excerpt } from '../domain/text.ts'
import { type ClamdAddress, clamdAddressText } from './choice.ts'
import { converse, type Heard } from './clamd-line.ts'
import type { Scanner, Verdict } from './scanner.ts'
import { slices } from './slices.ts'

/** clamd itself gives up on a file after two minutes (MaxScanTime). */
const PATIENCE = 150_000
const SLICE = 64 * 1024
const MEGABYTE = 1024 * 1024
/** Room for the largest upload (5 MB). */
const STREAM_MAX_LENGTH = 6

const LENGTH_FIELD = 4
const END_OF_STREAM = Buffer.alloc(LENGTH_FIELD)

/** Asks clamd, which needs no file and no rights on ours: the bytes go over its socket. `patience` is in milliseconds. */
export function clamdScanner(
  address: ClamdAddress,
  { patience = PATIENCE }: { patience?: number } = {},
): Scanner {
  return {
    async scan({ bytes }, signal) {
      const heard = await converse(address, patience, () => inStream(bytes), signal)
      return verdict(heard, address, bytes.size)
    },
  }
}

/** What clamd calls itself, such as `ClamAV 1.4.3/27500/…`; it also shows that clamd answers. */
export async function clamdVersion(address: ClamdAddress, patience = PATIENCE): Promise<string> {
  const { text } = await converse(address, patience, () => command('VERSION'))
  const [, version] = /^(ClamAV [^\p{Cc}]+)\0$/u.exec(text) ?? []
  if (version !== undefined) return version
  // clamd.conf may forbid VERSION; PING it cannot.
  if (text !== 'COMMAND UNAVAILABLE\0') throw noAnswer(text, address)
  const pong = await converse(address, patience, () => command('PING'))
  if (pong.text !== 'PONG\0') throw noAnswer(pong.text, address)
  return 'ClamAV (it does not tell its version)'
}

async function* inStream(bytes: ByteSource): AsyncGenerator<Uint8Array, void> {
  yield* command('INSTREAM')
  // One buffer for the whole file: each piece has left before the next is asked for.
  const piece = Buffer.alloc(LENGTH_FIELD + SLICE)
  for await (const slice of slices(bytes, SLICE)) {
    piece.writeUInt32BE(slice.length)
    piece.set(slice, LENGTH_FIELD)
    yield piece.subarray(0, LENGTH_FIELD + slice.length)
  }
  // Reached with the whole file only: clamd never judges a part of it.
  yield END_OF_STREAM
}

async function* command(name: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(`z${name}\0`)
}

function verdict({ text, isEarly }: Heard, address: ClamdAddress, size: number): Verdict {
  if (text.startsWith('INSTREAM size limit exceeded')) {
    const needed = Math.max(STREAM_MAX_LENGTH, Math.ceil(size / MEGABYTE))
    throw new Failure(
      `clamd refuses files of this size: raise StreamMaxLength in clamd.conf to ${needed}M or more, and restart clamd.`,
    )
  }
  const [, threat] = /^stream: ([^\p{Cc}\s][^\p{Cc}]*) FOUND\0$/u.exec(text) ?? []
  const isVerdict = text === 'stream: OK\0' || threat !== undefined
  if (!isVerdict) throw noAnswer(text, address)
  if (isEarly) {
    throw new Failure(
      `clamd at ${clamdAddressText(address)} gave a verdict before it had the whole file: see that it is clamd that listens there.`,
    )
  }
  return threat === undefined ? { state: 'clean' } : { state: 'infected', threat }
}

function noAnswer(text: string, address: ClamdAddress): Failure {
  const at = `clamd at ${clamdAddressText(address)}`
  if (text === '') {
    return new Failure(`${at} hung up without an answer: look into its log, and restart it.`)
  }
  const said = excerpt(text.replace(/\0$/, ''))
  return /\bERROR\0/.test(text)
    ? new Failure(`${at} failed, saying ${said}: look into its log.`)
    : new Failure(`${at} answered ${said}: see that it is clamd that listens there.`)
}
