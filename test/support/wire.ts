import { connect, type Socket } from 'node:net'

export interface Wire {
  socket: Socket
  write(text: string | Buffer): void
  /** Waits until as many whole responses have come as asked for, or the connection is closed. */
  responses(count: number): Promise<WireResponse[]>
  /** Answers all that has come, once it looks as wanted. */
  until(isEnough: (text: string) => boolean): Promise<string>
  closed(): Promise<string>
}

export interface WireResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** A raw connection, for what no well-behaved client would send. */
export function wire(url: string): Wire {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let isClosed = false
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const resume of waiting.splice(0)) resume()
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    received += chunk
    wake()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    wake()
  })
  const change = () => new Promise<void>((resolve) => waiting.push(resolve))

  return {
    socket,
    write: (text) => socket.write(text),
    async responses(count) {
      for (;;) {
        const found = parse(received)
        if (found.length >= count || isClosed) return found
        await change()
      }
    },
    async until(isEnough) {
      while (!isEnough(received) && !isClosed) await change()
      return received
    },
    async closed() {
      while (!isClosed) await change()
      return received
    },
  }
}

function parse(text: string): WireResponse[] {
  const found: WireResponse[] = []
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return found
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(':')
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
      }),
    )
    const length = Number(headers['content-length'] ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    if (body.length < length) return found
    found.push({ status: Number(line.split(' ')[1]), headers, body })
    rest = rest.slice(end + 4 + length)
  }
}
