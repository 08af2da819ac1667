/** `::ffff:203.0.113.7` is the IPv4 address 203.0.113.7. */
export function plainAddress(ip: string): string {
  return ip.toLowerCase().startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip
}

/** Whom a limit per address counts: an IPv4 address, or the /64 that one IPv6 subscriber is handed whole. */
export function subscriberOf(ip: string): string {
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    while (groups.length + rest.length < 8) groups.push('0')
    groups.push(...rest)
  }
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/**
 * The client's address behind one trusted proxy: the last entry of X-Forwarded-For is the one that the proxy wrote;
 * all before it is the client's own word.
 */
export function forwardedClient(header: string): string | null {
  const last = header.slice(header.lastIndexOf(',') + 1).trim()
  return last === '' ? null : last
}
