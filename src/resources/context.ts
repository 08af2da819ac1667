import * as v from 'valibot'
import type { Address } from '../addresses.ts'
import { count } from '../domain/fields.ts'
import type { Call } from '../http/call.ts'
import type { QueryOf, QueryParameters } from '../http/query.ts'
import type { Reply } from '../http/reply.ts'
import type { ReplyDescription, Route } from '../http/route.ts'
import type { Stores } from '../stores.ts'

/** What a handler gets: the call with its address resolved and its input parsed. */
type Context<Q extends QueryParameters, B> = Omit<Call, 'address' | 'query' | 'body'> & {
  readonly address: Address
  readonly query: QueryOf<Q>
  readonly body: B
}

type Entry<Q extends QueryParameters, S extends v.GenericSchema> = Omit<
  Route,
  'query' | 'body' | 'handle'
> & {
  readonly query: Q
  readonly body?: S
  handle(context: Context<Q, v.InferOutput<S>>, stores: Stores): Reply
}

export function route<const Q extends QueryParameters, const S extends v.GenericSchema>(
  entry: Entry<Q, S>,
): Route {
  return entry as unknown as Route
}

export function single(
  schema: v.GenericSchema,
  description: string,
  example: unknown,
): ReplyDescription {
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
