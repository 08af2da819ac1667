import { isIP } from 'node:net'

/** An IPv4 address in IPv6 clothes is the IPv4 address, however it is written (`::ffff:203.0.113.7`, `::ffff:cb00:7107`). */
export function plainAddress(ip: string): string {
  if (!ip.includes(':')) return ip
  const groups = expand(ip.includes('.') ? withHexTail(ip) : ip)
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return ip
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.')
}

/** Whom a limit per address counts: an IPv4 address, or the /64 that one IPv6 subscriber is handed whole. */
export function subscriberOf(ip: string): string {
  return ip.includes(':') ? expand(ip).slice(0, 4).join(':') : ip
}

const BRACKETED = /^\[([^\]]+)\](?::\d+)?$/
const WITH_PORT = /^([\d.]+):\d+$/

/**
 * The client's address behind one trusted proxy: the last entry of X-Forwarded-For is the one that the proxy wrote;
 * all before it is the client's own word. Null when that entry is no address.
 */
export function forwardedClient(header: string): string | null {
  const last = header.slice(header.lastIndexOf(',') + 1).trim()
  const address = BRACKETED.exec(last)?.[1] ?? WITH_PORT.exec(last)?.[1] ?? last
  return isIP(address) === 0 ? null : plainAddress(address)
}

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
function expand(ip: string): string[] {
  const [head = '', tail] = ip.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    while (groups.length + rest.length < 8) groups.push('0')
    groups.push(...rest)
  }
  return groups.map((group) => group.replace(/^0+(?=.)/, ''))
}

function withHexTail(ip: string): string {
  const colon = ip.lastIndexOf(':')
  const [a = 0, b = 0, c = 0, d = 0] = ip
    .slice(colon + 1)
    .split('.')
    .map(Number)
  return `${ip.slice(0, colon)}:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
