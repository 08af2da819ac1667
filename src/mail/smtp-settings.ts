import { isIPv4, isIPv6 } from 'node:net'
import type { Mailbox } from '../domain/invitation.ts'

/** Where mail is handed in, and as whom. */
export interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (`smtps:`); else STARTTLS. */
  readonly isSecure: boolean
  readonly login: { readonly user: string; readonly password: string } | null
}

const LONGEST_EMAIL = 254

/** `smtp://USER:PASSWORD@HOST:PORT` or `smtps://…`, the login and the port being optional; null for all else. */
export function readSmtpUrl(text: string): SmtpSettings | null {
  if (!/^smtps?:\/\/[^\s\p{Cc}]+$/iu.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  // Also what a password with an unescaped `/`, `?` or `#` leaves behind.
  if (!/^\/?$/.test(url.pathname) || /[?#]/.test(text)) return null
  const isSecure = url.protocol === 'smtps:'
  const host = readHost(url.hostname)
  const port = url.port === '' ? (isSecure ? 465 : 587) : Number(url.port)
  const login = readLogin(url)
  if (host === null || port === 0 || login === undefined) return null
  return { host, port, isSecure, login }
}

/** For people: without the login. */
export function smtpAddressText({ host, port, isSecure }: SmtpSettings): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `${isSecure ? 'smtps' : 'smtp'}://${name}:${port}`
}

/** What is sent there stays on this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** `Majlis <majlis@company.example>`, `"Majlis" <…>` or the address alone, whose name is then empty. */
export function readMailFrom(text: string): Mailbox | null {
  const [, written = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const email = (bracketed ?? text).trim()
  const name = written
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
  return isMailAddress(email) && !/[\p{Cc}"]/u.test(text.replace(/^\s*"(.*)"/, '$1'))
    ? { name, email }
    : null
}

/** Nothing that means something to a header or to a command: one address can never become two. */
export function isMailAddress(text: string): boolean {
  return text.length <= LONGEST_EMAIL && /^[^\s\p{C}@<>()[\]\\,;:"]+@[\p{L}\p{N}._-]+$/u.test(text)
}

function readHost(hostname: string): string | null {
  const [, bracketed] = /^\[(.+)\]$/.exec(hostname) ?? []
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : null
  return /^[\w.-]+$/.test(hostname) ? hostname.toLowerCase() : null
}

/** Null for none; undefined for one that cannot be read, or is half there. */
function readLogin({ username, password }: URL): SmtpSettings['login'] | undefined {
  if (username === '' && password === '') return null
  try {
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) }
    const isWhole = [login.user, login.password].every((each) => /^[^\p{Cc}]+$/u.test(each))
    return isWhole ? login : undefined
  } catch {
    return undefined
  }
}
