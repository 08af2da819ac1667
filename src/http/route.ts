import type { GenericSchema } from 'valibot'
import type { Operation, Right } from '../domain/operations.ts'
import type { Feature } from '../domain/plans.ts'
import type { Prepared } from './prepared.ts'
import type { QueryParameters } from './query.ts'
import type { Reply } from './reply.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** A route is data: the router, the gates, the OpenAPI document and the contract tests all read this one entry. */
export interface Route {
  readonly name: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly method: Method
  /** Nested and flat addresses of one thing are one entry. */
  readonly paths: readonly string[]
  readonly operation: Operation
  readonly feature?: Feature
  /** The right without which the policy layer refuses the call. */
  readonly right?: Right
  /** The path parameter whose record needs no right from the person who made it. */
  readonly unlessOwn?: string
  /** The path parameter whose record only the person who made it may change. */
  readonly onlyOwn?: string
  /** A write that leaves something to do for the workers. */
  readonly leavesWork?: boolean
  /** A write that an archived project still takes. */
  readonly worksInArchive?: boolean
  readonly query: QueryParameters
  /** Whether a query can be refused, and is not just read as well as may be. */
  readonly refusesQuery?: boolean
  readonly body?: GenericSchema
  /** In bytes, where it is not the usual one. */
  readonly bodyCap?: number
  readonly bodyExample?: Readonly<Record<string, unknown>>
  readonly reply: ReplyDescription
  /** What must wait (the disk, a PDF): done once every check has passed, and before they are made again for `handle`. */
  prepare?(context: never, stores: never, ports: never): Promise<Prepared<unknown>>
  handle(context: never, stores: never): Reply
}

export type ReplyDescription = JsonDescription | BytesDescription

export interface JsonDescription {
  readonly status: 200 | 201
  readonly description: string
  readonly schema: GenericSchema
  readonly example: unknown
}

/** The bytes of a file, or the way to where they are kept. */
interface BytesDescription {
  readonly status: 200
  readonly description: string
  readonly redirect: string
}

export function writes(route: Route): boolean {
  return route.method !== 'GET'
}
