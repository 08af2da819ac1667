import { isRefOf, looksLikeRef, type RefKind } from '../domain/handle.ts'
import { notFound } from './errors.ts'
import type { PathSegment } from './match.ts'

/** Finds the record that one path parameter names, among those that the parameters before it have named. */
export type Resolver = (handle: string, above: Readonly<Record<string, unknown>>) => unknown

/** The records that a path names, by parameter. Anything missing on the way is one and the same 404. */
export function resolveAddress(
  segments: readonly PathSegment[],
  resolverOf: (parameter: string) => Resolver,
): Record<string, unknown> {
  const address: Record<string, unknown> = {}
  for (const { name, raw } of segments) {
    const record = resolverOf(name)(decode(raw), address)
    if (record === undefined) throw notFound()
    address[name] = record
  }
  return address
}

export interface Finders<Parent, Row> {
  byRef(ref: string): Row | undefined
  bySlug(parent: Parent, slug: string): Row | undefined
  isUnder(row: Row, parent: Parent): boolean
}

/**
 * spec: Identifiers 2, 3, 6, 7. Under a parent a handle is a ref or a slug, and the record must be the parent's own;
 * on a flat address (`parent` null) it is a ref only.
 */
export function findByHandle<Parent, Row>(
  kind: RefKind,
  handle: string,
  parent: Parent | null,
  find: Finders<Parent, Row>,
): Row | undefined {
  if (!looksLikeRef(handle)) return parent === null ? undefined : find.bySlug(parent, handle)
  if (!isRefOf(kind, handle)) return undefined
  const row = find.byRef(handle)
  if (row === undefined || (parent !== null && !find.isUnder(row, parent))) return undefined
  return row
}

function decode(raw: string): string {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    throw notFound()
  }
}
