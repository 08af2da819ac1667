import * as v from 'valibot'
import type { Address } from '../addresses.ts'
import { count } from '../domain/fields.ts'
import type { Call } from '../http/call.ts'
import type { Prepared } from '../http/prepared.ts'
import type { QueryOf, QueryParameters } from '../http/query.ts'
import type { Reply } from '../http/reply.ts'
import type { JsonDescription, ReplyDescription, Route } from '../http/route.ts'
import type { PdfRenderer } from '../pdf/renderer.ts'
import type { Vault } from '../storage/vault.ts'
import type { Stores } from '../stores.ts'

type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never

/** The records that every path of a route names: what only the nested one names is not there on the flat one. */
type AddressOf<Path extends string> = Pick<
  Address,
  keyof Address & keyof (Path extends string ? { [Name in ParametersOf<Path>]: true } : never)
>

/** What a handler gets: the call with its address resolved and its input parsed. */
type Context<P extends string, Q extends QueryParameters, B> = Omit<
  Call,
  'address' | 'query' | 'body' | 'prepared'
> & {
  readonly address: AddressOf<P>
  readonly query: QueryOf<Q>
  readonly body: B
}

/** What can make a call wait. */
export interface Ports {
  readonly vault: Vault
  readonly pdf: PdfRenderer
}

/** The parameters of those paths whose records know who made them. */
type OwnedParameter<P extends string> = {
  [Name in keyof AddressOf<P>]: AddressOf<P>[Name] extends { creator_id: number } ? Name : never
}[keyof AddressOf<P>]

type Entry<P extends string, Q extends QueryParameters, S extends v.GenericSchema, T> = Omit<
  Route,
  'paths' | 'unlessOwn' | 'onlyOwn' | 'query' | 'body' | 'prepare' | 'handle'
> & {
  readonly paths: readonly P[]
  readonly unlessOwn?: OwnedParameter<P>
  readonly onlyOwn?: OwnedParameter<P>
  readonly query: Q
  readonly body?: S
  prepare?(
    context: Context<P, Q, v.InferOutput<S>>,
    stores: Stores,
    ports: Ports,
  ): Promise<Prepared<T>>
  handle(context: Context<P, Q, v.InferOutput<S>> & { readonly prepared: T }, stores: Stores): Reply
}

export function route<
  const P extends string,
  const Q extends QueryParameters,
  const S extends v.GenericSchema,
  T,
>(entry: Entry<P, Q, S, T>): Route {
  return entry as unknown as Route
}

export function single(
  schema: v.GenericSchema,
  description: string,
  example: unknown,
): JsonDescription {
  return {
    status: 200,
    description,
    schema: v.object({ data: schema }),
    example: { data: example },
  }
}

export function createdOne(
  schema: v.GenericSchema,
  description: string,
  example: unknown,
): ReplyDescription {
  return { ...single(schema, description, example), status: 201 }
}

export function pageOf(
  schema: v.GenericSchema,
  description: string,
  example: unknown,
): ReplyDescription {
  return {
    status: 200,
    description,
    schema: v.object({
      data: v.array(schema),
      meta: v.object({ total: count(), limit: count(), offset: count(), count: count() }),
    }),
    example: { data: [example], meta: { total: 1, limit: 50, offset: 0, count: 1 } },
  }
}
