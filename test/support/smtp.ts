import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { type MimePart, parseMime } from '../mail/mime.ts'
import { hasProgram } from './component.ts'
import { temporaryFolder } from './process.ts'

const OPENSSL = 'openssl'

export interface Received {
  from: string
  to: string[]
  /** As it came over the wire. */
  raw: string
  message: MimePart
  isEncrypted: boolean
  user: string | null
}

export interface SmtpOptions {
  /** Without one, nobody may log in. */
  login?: { user: string; password: string }
  /** `offered` is STARTTLS, `first` is TLS from the first byte. */
  tls?: 'none' | 'offered' | 'first'
  certificate?: Certificate
  /** What is answered to the sender, to a recipient or to the mail, such as `550 No such user`; null to accept. */
  onSender?(): string | null
  onRecipient?(address: string): string | null
  onMail?(): string | null | 'hang' | 'drop'
}

export interface Smtp {
  port: number
  /** The value of an address without a login. */
  url: string
  received: Received[]
  /** So far, at once, and now. */
  connections(): { all: number; most: number; open: number }
  /** Lines of clients that were not encrypted. */
  clear(): string
}

/** A real SMTP server on loopback, closed with the test. */
export async function startSmtp(t: TestContext, options: SmtpOptions = {}): Promise<Smtp> {
  const { login, tls = 'none', certificate, onSender, onRecipient, onMail } = options
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const counts = { all: 0, most: 0 }
  let clear = ''
  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = new SMTPServer({
    secure: tls === 'first',
    hideSTARTTLS: tls !== 'offered',
    // What an operator would never do, and a client must not fall for.
    allowInsecureAuth: true,
    authOptional: login === undefined,
    disabledCommands: [...(login ? [] : ['AUTH']), ...(tls === 'none' ? ['STARTTLS'] : [])],
    disableReverseLookup: true,
    closeTimeout: 10,
    ...certificate,
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.password
      done(isRight ? null : refusal('535 Wrong password'), { user: username })
    },
    onMailFrom(_address, _session, done) {
      done(refusal(onSender?.() ?? null))
    },
    onRcptTo({ address }, _session, done) {
      done(refusal(onRecipient?.(address) ?? null))
    },
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        const answer = onMail?.() ?? null
        if (answer === 'hang') return
        if (answer === 'drop') return dropAll()
        if (answer !== null) return done(refusal(answer))
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          message: parseMime(raw),
          isEncrypted: session.secure,
          user: session.user === undefined ? null : String(session.user),
        })
        done(null)
      })
    },
  })
  // Clients that refuse a certificate are what some tests are about.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    counts.all++
    counts.most = Math.max(counts.most, sockets.size)
    if (tls !== 'first') {
      socket.on('data', (bytes) => {
        clear += bytes.toString('latin1')
      })
    }
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(async () => {
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const { port } = server.server.address() as { port: number }
  const url = `${tls === 'first' ? 'smtps' : 'smtp'}://127.0.0.1:${port}`
  return {
    port,
    url,
    received,
    connections: () => ({ ...counts, open: sockets.size }),
    clear: () => clear,
  }
}

/** Listens and accepts, and never says a word. */
export function startMute(t: TestContext): Promise<{ port: number }> {
  return startPeer(t, () => {})
}

/** Answers a sender as long as it is listened to, a letter now and then, and never comes to an end. */
export function startChatterbox(t: TestContext): Promise<{ port: number }> {
  return startPeer(t, (socket) => {
    let timer: NodeJS.Timeout | undefined
    socket.write('220 Hello\r\n')
    socket.on('data', (bytes) => {
      if (bytes.toString().startsWith('EHLO')) return socket.write('250 Hello\r\n')
      let at = 0
      timer ??= setInterval(() => socket.write('250-wait\r\n'.charAt(at++ % 10)), 20)
    })
    socket.once('close', () => clearInterval(timer))
  })
}

async function startPeer(
  t: TestContext,
  serve: (socket: Socket) => void,
): Promise<{ port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as { port: number }).port }
}

export interface Certificate {
  key: string
  cert: string
}

/** Signed by itself, for a name or an IP address such as `IP:127.0.0.1`; undefined where openssl is missing. */
export function selfSigned(t: TestContext, name: string): Certificate | undefined {
  if (!hasProgram(t, OPENSSL, 'openssl')) return undefined
  const folder = temporaryFolder(t)
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')] as const
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = ['-subj', '/CN=majlis-test', '-addext', `subjectAltName=${name}`, '-days', '2']
  const words = ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert]
  const { status, stderr } = spawnSync(OPENSSL, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl ended with ${status}: ${stderr}`)
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

function refusal(answer: string | null): Error | null {
  if (answer === null) return null
  const [, code, said] = /^(\d{3}) (.*)$/.exec(answer) ?? []
  return Object.assign(new Error(said), { responseCode: Number(code) })
}
