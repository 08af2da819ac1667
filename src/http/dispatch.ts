import { performance } from 'node:perf_hooks'
import type { AuditEntry } from '../db/audit.ts'
import type { GroupCommit } from '../db/commit.ts'
import { capOf } from './body.ts'
import { bodyBudget } from './body-budget.ts'
import { type Allowance, Call, type Gate, type Gates } from './call.ts'
import { ApiError, conflict, internalError } from './errors.ts'
import { type Exchange, type RawBody, type Receive, TOO_LARGE } from './exchange.ts'
import type { Prepared } from './prepared.ts'
import {
  type Header,
  type HeaderLines,
  line,
  type Reply,
  standingLines,
  together,
} from './reply.ts'
import { type Route, writes } from './route.ts'
import { entryOf, lineOf, type RequestLine } from './traces.ts'
import { oneATurn } from './turns.ts'

export interface DispatchParts {
  gates: Gates
  stores: unknown
  /** What `prepare` of a route works with. */
  ports: unknown
  commit: GroupCommit
  now(): number
  nextRequestId(): string
  peekAllowance(call: Call): Allowance
  wakeWorkers(): void
  audit(entry: AuditEntry): void
  logRequest(line: RequestLine): void
  logFault(requestId: string, error: unknown): void
}

const NO_LINES = together()

/** A megabyte takes milliseconds to parse: a hundred that arrive together must not hold up everybody else. */
const LARGE = 64 * 1024

/** In bytes, for the bodies of uploads that are under way at one time. */
const ALL_LARGE_BODIES = 192 * 1024 * 1024
const LARGE_BODIES_OF_A_KEY = 96 * 1024 * 1024

/** A request under way: where its answer goes, what is known of it, and when it came. */
interface Trip {
  readonly exchange: Exchange
  readonly call: Call
  readonly startedAt: number
}

/** A request's whole way. Everything that can go wrong on it is caught here and nowhere else. */
export function createDispatch(parts: DispatchParts): Receive {
  const { gates, commit, stores } = parts
  const inTurn = oneATurn()
  const budget = bodyBudget(ALL_LARGE_BODIES, LARGE_BODIES_OF_A_KEY)

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
    if (!writes(call.target) && !exchange.head.hasBody) act(trip)
    else if (call.target.bodyCap === undefined) read(trip)
    else {
      const bytes = Math.min(exchange.head.bodyLength, call.target.bodyCap)
      budget.take(call.caller.id, bytes, (giveBack) => {
        exchange.whenOver(giveBack)
        read(trip)
      })
    }
  }

  function read(trip: Trip): void {
    const cap = capOf(trip.call.target)
    trip.exchange.readBody(cap, (body) => attempt(trip, () => takeBody(trip, body)))
  }

  function takeBody(trip: Trip, body: RawBody): void {
    if (writes(trip.call.target)) trip.call.rawBody = body
    if (body !== TOO_LARGE && body.length > LARGE) inTurn(() => attempt(trip, act))
    else act(trip)
  }

  function act(trip: Trip): void {
    const { call } = trip
    if (call.target.prepare !== undefined) {
      prepare(trip, call.target.prepare)
      return
    }
    conclude(trip, () => {
      check(call)
      return handle(call)
    })
  }

  /** The checks are made twice: before anything costly is begun, and again in the turn that answers. */
  function prepare(trip: Trip, work: NonNullable<Route['prepare']>): void {
    const { call } = trip
    check(call)
    call.rawBody = null
    work(call as never, stores as never, parts.ports as never).then(
      ({ value, takeBack }) => {
        call.prepared = value
        const undo = (): Promise<void> => takenBack(call, takeBack)
        attempt(trip, () => conclude(trip, () => handleAgain(call), undo))
      },
      (error) => fail(trip, error),
    )
  }

  function conclude(trip: Trip, answer: () => Reply, undo = nothingToUndo): void {
    const { call } = trip
    if (!writes(call.target)) {
      finish(trip, orUndone(answer, undo))
      return
    }
    commit
      .run(
        () => {
          const reply = answer()
          parts.audit(entryOf(call, 'allowed', reply.status))
          return reply
        },
        (error) => {
          if (isDenial(error)) parts.audit(entryOf(call, 'denied', error.status))
        },
      )
      .then(
        (reply) => {
          finish(trip, reply)
          if (call.target.leavesWork) parts.wakeWorkers()
        },
        async (error) => {
          // After a fault of the disk nobody knows whether the row is there: the next start will see.
          if (error instanceof ApiError || isLostRace(error)) await undo()
          finish(trip, refusalOf(call, error))
        },
      )
  }

  /** Nothing may be thrown from here: there is nobody left to catch it. */
  function finish({ exchange, call, startedAt }: Trip, reply: Reply): void {
    try {
      const { status, body } = reply
      const headers = headersOf(call, reply)
      if (typeof body === 'string') exchange.send(status, headers, body)
      else exchange.sendBytes(status, headers, body.mediaType, body.source)
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

  function check(call: Call): void {
    for (const gate of gates.ofRecord) gate(call)
    for (const gate of gates.ofInput) gate(call)
  }

  function handleAgain(call: Call): Reply {
    for (const gate of gates.ofRecord) gate(call)
    return handle(call)
  }

  function handle(call: Call): Reply {
    return call.target.handle(call as never, stores as never)
  }

  async function takenBack(call: Call, takeBack: Prepared<unknown>['takeBack']): Promise<void> {
    try {
      await takeBack()
    } catch (fault) {
      parts.logFault(call.id, fault)
    }
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

async function nothingToUndo(): Promise<void> {}

function orUndone(answer: () => Reply, undo: () => Promise<void>): Reply {
  try {
    return answer()
  } catch (error) {
    undo()
    throw error
  }
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
