import { attachmentDisposition } from '../domain/attachment.ts'
import type { ByteSource } from '../domain/byte-source.ts'
import type { Page } from './page.ts'

export type Header = readonly [name: string, value: string]

/** What goes back to the client, as plain values; the transport knows how to write it. */
export interface Reply {
  readonly status: number
  readonly body: string | Bytes
  readonly headers: readonly Header[]
}

interface Bytes {
  readonly source: ByteSource
  readonly mediaType: string
}

const NO_HEADERS: readonly Header[] = []

export function ok(resource: unknown): Reply {
  return json(200, { data: resource })
}

export function created(resource: unknown): Reply {
  return json(201, { data: resource })
}

export function deleted(what: Record<string, unknown>): Reply {
  return json(200, { data: { deleted: true, ...what } })
}

export function collection(resources: readonly unknown[], total: number, page: Page): Reply {
  const meta = { total, limit: page.limit, offset: page.offset, count: resources.length }
  return json(200, { data: resources, meta })
}

/** A level of the file browser is a resource with a page in it. */
export function level(resource: unknown, total: number, { limit, offset }: Page): Reply {
  return json(200, { data: resource, meta: { total, limit, offset } })
}

/** To be kept, and never shown in the place of a page: whatever is in it must not run with the API's origin. */
export function attachment(source: ByteSource, mediaType: string, name: string): Reply {
  return {
    status: 200,
    body: { source, mediaType },
    headers: [
      ['Content-Disposition', attachmentDisposition(name)],
      ['Content-Security-Policy', "default-src 'none'; sandbox"],
    ],
  }
}

export function elsewhere(address: string): Reply {
  return { ...json(302, { data: { external_url: address } }), headers: [['Location', address]] }
}

function json(status: number, value: unknown): Reply {
  return { status, body: JSON.stringify(value), headers: NO_HEADERS }
}

export const CONTENT_TYPE = 'application/json; charset=utf-8'

/**
 * Header lines as they go over the wire, each begun by CRLF: one text, because handing seven headers to the transport
 * one by one costs as much as all the gates. Only `line` makes them, so that no value can begin a line of its own.
 */
export type HeaderLines = string & { readonly madeBy: typeof line }

export function line(name: string, value: string): HeaderLines {
  const safe = /[\r\n\0]/.test(value) ? value.replace(/[\r\n\0]+/g, ' ') : value
  return `\r\n${name}: ${safe}` as HeaderLines
}

export function together(...lines: readonly HeaderLines[]): HeaderLines {
  let all = ''
  for (const each of lines) all += each
  return all as HeaderLines
}

/** On every response, whatever it says; the transport writes the content type before them. */
export const standingLines = together(
  line('X-Content-Type-Options', 'nosniff'),
  line('Cache-Control', 'no-store'),
)

const reasons: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

export function statusLine(status: number): string {
  return `${status} ${reasons[status] ?? 'Unknown'}`
}
