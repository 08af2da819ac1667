import { hash } from 'node:crypto'
import type { ApiKey, Company } from '../domain/account.ts'
import type { Head, RawBody } from './exchange.ts'
import type { PathSegment } from './match.ts'
import type { Route } from './route.ts'

/** What a company has left today, as the X-RateLimit headers tell it. */
export interface Allowance {
  readonly limit: number | null
  readonly remaining: number | null
  /** UTC milliseconds of the next midnight; null where the plan has no access. */
  readonly resetsAt: number | null
}

/** One request on its way through the house. Each gate reads what the gates before it have learnt. */
export class Call {
  readonly id: string
  readonly head: Head
  readonly now: number
  /** What was sent as a key, right or wrong; null when nothing was. */
  readonly keyText: string | null
  key: ApiKey | null = null
  allowance: Allowance | null = null
  route: Route | null = null
  segments: readonly PathSegment[] = []
  rawBody: RawBody | null = null
  address: Record<string, unknown> = {}
  query: Record<string, unknown> = {}
  body: unknown = null
  prepared: unknown = null
  #keyDigest: string | null = null

  constructor(id: string, head: Head, now: number) {
    this.id = id
    this.head = head
    this.now = now
    this.keyText = bearerToken(head.authorization)
  }

  /** Keys are counted and remembered in memory by this, never by their text. */
  get keyDigest(): string {
    this.#keyDigest ??= hash('sha256', this.keyText ?? '', 'base64')
    return this.#keyDigest
  }

  /** For the gates after authentication, and for handlers. */
  get caller(): ApiKey {
    if (this.key === null) throw new Error('The call has not been authenticated')
    return this.key
  }

  get company(): Company {
    return this.caller.company
  }

  get target(): Route {
    if (this.route === null) throw new Error('The call has not been routed')
    return this.route
  }
}

/** Refuses by throwing an ApiError. Answers a promise only where something must wait (argon2). */
export type Gate = (call: Call) => Promise<void> | void

/** In the order of checks; see gates/index.ts. */
export interface Gates {
  /** These need only the head of a request: they run before its body is read. */
  readonly ofHead: readonly Gate[]
  /** These look at records: for a write they run inside its transaction. */
  readonly ofRecord: readonly Gate[]
  /** These look at what was sent, once the records are known. */
  readonly ofInput: readonly Gate[]
}

const BEARER = /^bearer +([^ ]+) *$/i

function bearerToken(authorization: string): string | null {
  if (authorization === '') return null
  return BEARER.exec(authorization)?.[1] ?? null
}
