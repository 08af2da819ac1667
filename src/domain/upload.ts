import { humanSize } from './file-size.ts'
import { extensionOf, mediaTypeOf } from './media-type.ts'
import { textKind } from './text-extensions.ts'

/** spec: Limits. After decoding. */
const UPLOAD_LIMIT = 5 * 1024 * 1024
const MARKDOWN_LIMIT = 256 * 1024

export interface UploadFields {
  readonly name: string
  readonly content?: string | null | undefined
  readonly content_base64?: string | null | undefined
}

/** What an upload brings: bytes, or markdown that has yet to be set as a PDF. */
export type Upload = { readonly mediaType: string } & (
  | { readonly bytes: Buffer }
  | { readonly markdown: string; readonly title: string }
)

/** The message goes on from the name of the field. */
export interface UploadFault {
  readonly field: 'content' | 'content_base64'
  readonly fault: string
}

/** spec: Upload rules. */
export function readUpload(fields: UploadFields): Upload | UploadFault {
  const { name, content = null, content_base64: base64 = null } = fields
  if (content !== null && base64 !== null) {
    return { field: 'content', fault: "can't be sent beside content_base64: exactly one of them" }
  }
  if (base64 !== null) return fromBase64(name, base64)
  if (content !== null) return fromText(name, content)
  return {
    field: 'content',
    fault: "can't be missing: send the file as content (text) or as content_base64 (bytes)",
  }
}

function fromBase64(name: string, base64: string): Upload | UploadFault {
  const field = 'content_base64'
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  const size = Math.floor((base64.length * 3) / 4) - padding
  if (size > UPLOAD_LIMIT) return { field, fault: tooLarge(size, UPLOAD_LIMIT) }
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== size || !isStandard(base64, bytes)) {
    return {
      field,
      fault: 'must be standard base64: A-Z a-z 0-9 + /, padded with =, without line breaks',
    }
  }
  return { bytes, mediaType: mediaTypeOf(name, false) }
}

/**
 * Node reads whatever it can: it passes over foreign letters, so that fewer bytes come out than the length tells, and
 * knows the alphabet of URLs too. That the last letters hold no bits beyond the last byte is seen by writing them again.
 */
function isStandard(base64: string, bytes: Buffer): boolean {
  if (base64.length % 4 !== 0 || /[-_]/.test(base64)) return false
  const last = bytes.subarray(Math.floor((bytes.length - 1) / 3) * 3)
  return base64.endsWith(last.toString('base64'))
}

function fromText(name: string, content: string): Upload | UploadFault {
  const field = 'content'
  const extension = extensionOf(name)
  const size = Buffer.byteLength(content)
  if (extension === 'pdf') {
    if (size > MARKDOWN_LIMIT) {
      return { field, fault: `${tooLarge(size, MARKDOWN_LIMIT)} of markdown for a PDF` }
    }
    return {
      markdown: content,
      title: name.slice(0, -'.pdf'.length),
      mediaType: mediaTypeOf(name, true),
    }
  }
  if (extension !== '' && textKind(extension) === undefined) {
    return {
      field,
      fault: `is for plain text, and .${extension} is not known as such: send the bytes as content_base64, or give name another extension`,
    }
  }
  if (size > UPLOAD_LIMIT) return { field, fault: tooLarge(size, UPLOAD_LIMIT) }
  return { bytes: Buffer.from(content), mediaType: mediaTypeOf(name, true) }
}

/** Markdown may swell: what it becomes is an upload like any other. */
export function pdfFault(size: number): string | null {
  return size <= UPLOAD_LIMIT ? null : `makes a PDF that ${tooLarge(size, UPLOAD_LIMIT)}`
}

function tooLarge(size: number, limit: number): string {
  return `is ${size} bytes, over the limit of ${limit} bytes (${humanSize(limit)})`
}
