import { BlockList, isIP, type LookupFunction } from 'node:net'

export interface Resolved {
  address: string
  family: number
}

/** Every address of a name. */
export type Lookup = (name: string) => Promise<Resolved[]>

export class ForbiddenAddress extends Error {}

/**
 * Private and loopback addresses are where self-hosted calendars live. These are not: a cloud's metadata service gives
 * keys to whoever can reach it, and the rest is nobody's server.
 */
const FORBIDDEN_IPV4 = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  // Metadata of Alibaba, Azure and Oracle, which lie outside of the link-local range.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

const FORBIDDEN_IPV6 = [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  // Metadata of AWS and Google.
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
] as const

/** Mapped, translated (RFC 2765), both of NAT64: the IPv4 address is the end of the IPv6 address. */
const IPV4_AT_THE_END = ['::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']

const forbidden = forbiddenList()

function forbiddenList(): BlockList {
  const list = new BlockList()
  for (const [address, bits] of FORBIDDEN_IPV6) list.addSubnet(address, bits, 'ipv6')
  for (const [address, bits] of FORBIDDEN_IPV4) {
    list.addSubnet(address, bits, 'ipv4')
    for (const start of IPV4_AT_THE_END) list.addSubnet(`${start}${address}`, 96 + bits, 'ipv6')
    // IPv4-compatible addresses begin with zeros only, and so does the loopback address.
    if (address !== '0.0.0.0') list.addSubnet(`::${address}`, 96 + bits, 'ipv6')
    list.addSubnet(sixToFour(address), 16 + bits, 'ipv6')
  }
  return list
}

function sixToFour(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`
}

/** Also true of all that is no address. */
export function isForbiddenAddress(written: string): boolean {
  const address = written.replace(/^\[|\]$|%.*$/g, '')
  const version = isIP(address)
  return version === 0 || forbidden.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** A URL's host where it is an address: that one is never looked up. WHATWG URLs have put its spelling right. */
export function isForbiddenHost(hostname: string): boolean {
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isAddress && isForbiddenAddress(hostname)
}

/** Judges the very addresses that are connected to, so that a name which changes between two questions gains nothing. */
export function guarded(lookup: Lookup): LookupFunction {
  return (name, options, answer) => {
    allowed(lookup, name).then(
      (found) => {
        const [first] = found
        if (options.all) answer(null, found)
        else answer(null, first?.address ?? '', first?.family)
      },
      (error) => answer(error, ''),
    )
  }
}

async function allowed(lookup: Lookup, name: string): Promise<Resolved[]> {
  const found = await lookup(name)
  if (found.length === 0) throw Object.assign(new Error('no address'), { code: 'ENODATA' })
  const fit = found.filter(({ address }) => !isForbiddenAddress(address))
  if (fit.length === 0) throw new ForbiddenAddress()
  return fit
}
