import { performance } from 'node:perf_hooks'
import type { AuditEntry } from '../db/audit.ts'
import type { GroupCommit } from '../db/commit.ts'
import { redactKeys } from '../domain/key-text.ts'
import { BODY_CAP } from './body.ts'
import { type Allowance, Call, type Gate, type Gates } from './call.ts'
import { ApiError, conflict, internalError } from './errors.ts'
import type { Exchange, RawBody, Receive } from './exchange.ts'
import {
  type Header,
  type HeaderLines,
  line,
  type Reply,
  standingLines,
  together,
} from './reply.ts'
import { writes } from './route.ts'

export interface RequestLine {
  request_id: string
  method: string
  path: string
  status: number
  duration_ms: number
  key_id: number | null
  company_id: number | null
  ip: string
}

export interface DispatchParts {
  gates: Gates
  stores: unknown
  commit: GroupCommit
  now(): number
  nextRequestId(): string
  peekAllowance(call: Call): Allowance
  audit(entry: AuditEntry): void
  logRequest(line: RequestLine): void
  logFault(requestId: string, error: unknown): void
}

const NO_LINES = together()

/** A request under way: where its answer goes, what is known of it, and when it came. */
interface Trip {
  readonly exchange: Exchange
  readonly call: Call
  readonly startedAt: number
}

/** A request's whole way. Everything that can go wrong on it is caught here and nowhere else. */
export function createDispatch(parts: DispatchParts): Receive {
  const { gates, commit, stores } = parts

  function receive(exchange: Exchange): void {
    const startedAt = performance.now()
    const call = new Call(parts.nextRequestId(), exchange.head, parts.now())
    attempt({ exchange, call, startedAt }, enter)
  }

  function attempt(trip: Trip, step: (trip: Trip) => void): void {
    try {
      step(trip)
    } catch (error) {
      fail(trip, error)
    }
  }

  function enter(trip: Trip): void {
    const waiting = pass(gates.ofHead, trip.call)
    if (waiting === undefined) proceed(trip)
    else
      waiting.then(
        () => attempt(trip, proceed),
        (error) => fail(trip, error),
      )
  }

  function proceed(trip: Trip): void {
    const { exchange, call } = trip
    if (!writes(call.target) && !exchange.head.hasBody) finish(trip, answer(call))
    else exchange.readBody(BODY_CAP, (body) => attempt(trip, () => act(trip, body)))
  }

  function act(trip: Trip, body: RawBody): void {
    const { call } = trip
    if (!writes(call.target)) {
      finish(trip, answer(call))
      return
    }
    call.rawBody = body
    commit
      .run(
        () => {
          const reply = answer(call)
          parts.audit(entryOf(call, 'allowed', reply.status))
          return reply
        },
        (error) => {
          if (isDenial(error)) parts.audit(entryOf(call, 'denied', error.status))
        },
      )
      .then(
        (reply) => finish(trip, reply),
        (error) => finish(trip, refusalOf(call, error)),
      )
  }

  /** Nothing may be thrown from here: there is nobody left to catch it. */
  function finish({ exchange, call, startedAt }: Trip, reply: Reply): void {
    try {
      exchange.send(reply.status, headersOf(call, reply), reply.body)
      parts.logRequest(lineOf(call, reply.status, performance.now() - startedAt))
    } catch (fault) {
      parts.logFault(call.id, fault)
    }
  }

  /** Refused on a read, or before the transaction of a write: the audit entry needs a transaction of its own. */
  function fail(trip: Trip, error: unknown): void {
    const { call } = trip
    const reply = refusalOf(call, error)
    if (!isDenial(error)) {
      finish(trip, reply)
      return
    }
    commit
      .run(() => parts.audit(entryOf(call, 'denied', reply.status)))
      .then(
        () => finish(trip, reply),
        (fault) => finish(trip, refusalOf(call, fault)),
      )
  }

  function answer(call: Call): Reply {
    for (const gate of gates.ofRecord) gate(call)
    return call.target.handle(call as never, stores as never)
  }

  function headersOf(call: Call, reply: Reply): HeaderLines {
    const allowance = call.allowance ?? allowanceOf(call)
    const usual = together(
      standingLines,
      line('X-Request-Id', call.id),
      allowance === null ? NO_LINES : rateLimitLines(allowance),
    )
    if (reply.headers.length === 0) return usual
    return together(usual, ...reply.headers.map(([name, value]) => line(name, value)))
  }

  /** A database that does not answer must not keep the answer that says so from leaving. */
  function allowanceOf(call: Call): Allowance | null {
    if (call.key === null) return null
    try {
      return parts.peekAllowance(call)
    } catch (fault) {
      parts.logFault(call.id, fault)
      return null
    }
  }

  function refusalOf(call: Call, error: unknown): Reply {
    if (error instanceof ApiError) return refusalReply(error)
    if (isLostRace(error)) return refusalReply(conflict())
    parts.logFault(call.id, error)
    return refusalReply(internalError())
  }

  return receive
}

function rateLimitLines({ limit, remaining, resetsAt }: Allowance): HeaderLines {
  return together(
    line('X-RateLimit-Limit', limit === null ? 'unlimited' : String(limit)),
    line('X-RateLimit-Remaining', remaining === null ? 'unlimited' : String(remaining)),
    resetsAt === null ? NO_LINES : line('X-RateLimit-Reset', String(resetsAt / 1000)),
  )
}

/** Runs the gates in order, in this turn as far as they can; answers a promise once one has to wait. */
function pass(gates: readonly Gate[], call: Call, from = 0): Promise<void> | undefined {
  for (let i = from; i < gates.length; i++) {
    const waiting = gates[i]?.(call)
    if (waiting) return waiting.then(() => pass(gates, call, i + 1))
  }
  return undefined
}

/** spec: Authentication 5. Every `forbidden` is audited. */
function isDenial(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'forbidden'
}

function refusalReply(error: ApiError): Reply {
  const headers: Header[] =
    error.retryAfter === null ? [] : [['Retry-After', String(error.retryAfter)]]
  return { status: error.status, body: error.body, headers }
}

/** Two writers wanted the same ref, slug or name, and this one came second. */
function isLostRace(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

function entryOf(call: Call, outcome: 'allowed' | 'denied', status: number): AuditEntry {
  return {
    companyId: call.company.id,
    at: call.now,
    outcome,
    operation: call.target.operation,
    method: call.head.method,
    path: redactKeys(call.head.path),
    status,
    ip: call.head.ip,
    keyId: call.caller.id,
    requestId: call.id,
  }
}

function lineOf(call: Call, status: number, duration: number): RequestLine {
  return {
    request_id: call.id,
    method: call.head.method,
    path: redactKeys(call.head.path),
    status,
    duration_ms: Math.round(duration * 1000) / 1000,
    key_id: call.key?.id ?? null,
    company_id: call.key?.company.id ?? null,
    ip: call.head.ip,
  }
}
