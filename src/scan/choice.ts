import { isIPv6 } from 'node:net'

/** Where clamd listens: the path of its socket, or a host and a port. */
export type ClamdAddress =
  | { readonly path: string }
  | { readonly host: string; readonly port: number }

export type ScannerChoice =
  | { readonly kind: 'builtin' }
  | { readonly kind: 'none' }
  | { readonly kind: 'clamd'; readonly address: ClamdAddress }

/** In bytes: the kernel takes no longer one, and Node.js would cut it short and knock elsewhere. */
const LONGEST_PATH = 107

/** `builtin`, `none`, `clamd:/PATH`, `clamd:HOST:PORT` or `clamd:[IPV6]:PORT`; null for all else. */
export function readScannerChoice(text: string): ScannerChoice | null {
  if (text === 'builtin' || text === 'none') return { kind: text }
  if (!text.startsWith('clamd:')) return null
  const address = readClamdAddress(text.slice('clamd:'.length))
  return address && { kind: 'clamd', address }
}

/** What an operator must know of a scanner that protects nobody; null for one that does. */
export function scannerCaution({ kind }: ScannerChoice): string | null {
  if (kind === 'clamd') return null
  if (kind === 'none')
    return 'Uploads are not scanned at all (--scanner none): for development only.'
  return 'The builtin scanner is no antivirus: it knows the EICAR test file and listed digests only. Run clamd, and serve with --scanner clamd:ADDRESS.'
}

/** For people, and as `--scanner clamd:` takes it. */
export function clamdAddressText(address: ClamdAddress): string {
  if ('path' in address) return address.path
  const { host, port } = address
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/**
 * A path must be absolute: a service starts in a folder nobody thinks of, and `clamd:localhost` is a forgotten port
 * and not a file.
 */
function readClamdAddress(text: string): ClamdAddress | null {
  if (text.startsWith('/')) {
    const isSocketPath = Buffer.byteLength(text) <= LONGEST_PATH && !/\p{Cc}/u.test(text)
    return isSocketPath ? { path: text } : null
  }
  const [, bracketed, name, digits] = /^(?:\[(.+)\]|([\w.-]+)):([1-9]\d*)$/.exec(text) ?? []
  const port = Number(digits)
  if (!(port <= 65_535)) return null
  if (name !== undefined) return { host: name, port }
  return bracketed !== undefined && isIPv6(bracketed) ? { host: bracketed, port } : null
}
