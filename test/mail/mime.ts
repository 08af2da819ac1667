/** A part of a mail as a client sees it: enough of MIME to look at what was sent. */
export interface MimePart {
  /** Names in lower case; lines unfolded, encoded words read. */
  headers: Map<string, string[]>
  /** Such as `text/calendar`. */
  type: string
  parameters: Record<string, string>
  parts: MimePart[]
  /** Of a part that has no parts. */
  text: string
}

export function parseMime(raw: string): MimePart {
  const end = raw.indexOf('\r\n\r\n')
  const headers = readHeaders(raw.slice(0, end))
  const content = raw.slice(end + 4)
  const [contentType = 'text/plain'] = headers.get('content-type') ?? []
  const [type = '', ...rest] = contentType.split(';')
  const parameters = Object.fromEntries(
    rest.map((each) => {
      const [, name = '', value = ''] = /^\s*([^=]+)="?([^"]*)"?$/.exec(each) ?? []
      return [name.toLowerCase(), value]
    }),
  )
  const part = { headers, type: type.trim().toLowerCase(), parameters, parts: [], text: '' }
  const { boundary } = parameters
  if (boundary === undefined) {
    const [encoding = '7bit'] = headers.get('content-transfer-encoding') ?? []
    return { ...part, text: decoded(content, encoding.toLowerCase()) }
  }
  const inside = `\r\n${content}`.split(`\r\n--${boundary}`).slice(1, -1)
  return { ...part, parts: inside.map((each) => parseMime(each.replace(/^\r\n/, ''))) }
}

/** `multipart/mixed(multipart/alternative(text/plain, text/html), application/ics)`. */
export function structure({ type, parts }: MimePart): string {
  return parts.length === 0 ? type : `${type}(${parts.map(structure).join(', ')})`
}

export function find(part: MimePart, type: string): MimePart | undefined {
  if (part.type === type) return part
  for (const each of part.parts) {
    const found = find(each, type)
    if (found !== undefined) return found
  }
  return undefined
}

export function header(part: MimePart, name: string): string | undefined {
  return part.headers.get(name)?.[0]
}

function readHeaders(block: string): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (const line of block.replace(/\r\n[ \t]/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    const key = name.toLowerCase()
    headers.set(key, [...(headers.get(key) ?? []), readWords(value)])
  }
  return headers
}

/** RFC 2047; words next to each other are one. */
function readWords(value: string): string {
  const joined = value.replace(/(\?=)\s+(?==\?)/g, '$1')
  return joined.replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
    kind.toLowerCase() === 'b'
      ? Buffer.from(word, 'base64').toString()
      : quotedPrintable(word.replaceAll('_', ' ')),
  )
}

function decoded(content: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString()
  if (encoding === 'quoted-printable') return quotedPrintable(content.replace(/=\r\n/g, ''))
  return content
}

function quotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
