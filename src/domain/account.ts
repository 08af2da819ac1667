import type { Operation, Right, Scope } from './operations.ts'
import type { Plan } from './plans.ts'

export interface Person {
  readonly id: number
  readonly name: string
  readonly email: string
}

export interface Company {
  readonly id: number
  readonly name: string
  readonly timeZone: string
  readonly plan: Plan
  readonly restApi: boolean
  /** Calls a day; `null` is unlimited. */
  readonly allowance: number | null
  readonly readOnly: boolean
}

/** A key runs as its company; its creator is a signature, and owns what the key makes. */
export interface ApiKey {
  readonly id: number
  readonly name: string
  readonly scope: Scope
  readonly operations: ReadonlySet<Operation>
  readonly rights: ReadonlySet<Right>
  readonly creator: Person
  readonly company: Company
}
