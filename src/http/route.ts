import type { GenericSchema } from 'valibot'
import type { Operation, Right } from '../domain/operations.ts'
import type { Feature } from '../domain/plans.ts'
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
  /** A write that an archived project still takes. */
  readonly worksInArchive?: boolean
  readonly query: QueryParameters
  readonly body?: GenericSchema
  readonly bodyExample?: Readonly<Record<string, unknown>>
  readonly reply: ReplyDescription
  handle(context: never, stores: never): Reply
}

export interface ReplyDescription {
  readonly status: 200 | 201
  readonly description: string
  readonly schema: GenericSchema
  readonly example: unknown
}

export function writes(route: Route): boolean {
  return route.method !== 'GET'
}
