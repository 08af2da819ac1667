import mime from 'mime'
import { textKind } from './text-extensions.ts'

const UNKNOWN = 'application/octet-stream'
const PLAIN_TEXT = 'text/plain'

/** Lower case and without the dot; '' for none. A name may look like a path, and one like `.env` has no extension. */
export function extensionOf(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const dot = last.lastIndexOf('.')
  return dot <= 0 ? '' : last.slice(dot + 1).toLowerCase()
}

/** From the extension alone, never from what a client claims. Only a text may lack one and still be known. */
export function mediaTypeOf(name: string, isText: boolean): string {
  const extension = extensionOf(name)
  if (extension === '') return isText ? PLAIN_TEXT : UNKNOWN
  const registered = mime.getType(extension)
  const kind = textKind(extension)
  if (kind === undefined) return registered ?? UNKNOWN
  // To the registry `.ts` is a film, `.rs` a list of services and `.org` a diary.
  const isOther = kind === 'source code' || kind === 'documents'
  if (registered === null || (isOther && !registered.startsWith('text/'))) return PLAIN_TEXT
  return registered
}
