import type { Operation, Right, Scope } from './operations.ts'
import type { Plan, PlanName } from './plans.ts'

export const roles = ['owner', 'manager', 'member'] as const
export type Role = (typeof roles)[number]

interface Person {
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

export const languages = ['ar', 'en'] as const
export type Language = (typeof languages)[number]

/** What an administrator sets for a company. */
export interface CompanySettings {
  name: string
  timeZone: string
  plan: PlanName
  restApi: boolean
  /** In place of the plan's number of calls a day; `null` goes by the plan. */
  dailyLimit: number | null
  readOnly: boolean
  /** Which of the two comes first in its mails. */
  language: Language
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
