import type { Company } from '../domain/account.ts'
import { type CompanyDay, companyDay, secondsUntil } from '../domain/quota-clock.ts'
import type { Allowance, Gate } from '../http/call.ts'
import { allowanceSpent } from '../http/errors.ts'

/** Spends one call of the company's day, whatever the answer will be. */
export function quota(ledger: QuotaLedger): Gate {
  return (call) => {
    call.allowance = ledger.spend(call.company, call.now)
  }
}

interface Account {
  readonly companyId: number
  readonly timeZone: string
  readonly day: CompanyDay
  used: number
  isSaved: boolean
}

export interface QuotaPorts {
  readUsed(companyId: number, day: string): number
  saveUsed(companyId: number, day: string, used: number): void
}

export type QuotaLedger = ReturnType<typeof quotaLedger>

/**
 * Counts in memory, exactly, because one process serves the folder; `save` writes what has changed, so that a kill -9
 * forgets at most what was spent since.
 */
export function quotaLedger(ports: QuotaPorts) {
  const current = new Map<number, Account>()
  /** Days that have ended, or that a change of zone has left, and that are not saved yet. */
  let ended: Account[] = []

  function accountOf(company: Company, now: number): Account {
    const account = current.get(company.id)
    if (account && isCurrent(account, company, now)) return account
    if (account && !account.isSaved) ended.push(account)
    const opened = open(company, now)
    current.set(company.id, opened)
    return opened
  }

  function open({ id, timeZone }: Company, now: number): Account {
    const day = companyDay(timeZone, now)
    const unsaved = ended.findLast((old) => old.companyId === id && old.day.date === day.date)
    const used = unsaved?.used ?? ports.readUsed(id, day.date)
    return { companyId: id, timeZone, day, used, isSaved: true }
  }

  function peek(company: Company, now: number): Allowance {
    if (company.allowance === 0) return { limit: 0, remaining: 0, resetsAt: null }
    return allowanceOf(company, accountOf(company, now))
  }

  function spend(company: Company, now: number): Allowance {
    const account = accountOf(company, now)
    if (company.allowance !== null && account.used >= company.allowance) {
      throw allowanceSpent(company.plan, company.allowance, secondsUntil(account.day.endsAt, now))
    }
    account.used++
    account.isSaved = false
    return allowanceOf(company, account)
  }

  /** Answers how to take it back, should the transaction that it ran in fail. */
  function save(): () => void {
    const unsaved = [...ended, ...current.values()].filter((account) => !account.isSaved)
    const left = ended
    for (const account of unsaved) {
      ports.saveUsed(account.companyId, account.day.date, account.used)
      account.isSaved = true
    }
    ended = []
    return () => {
      ended = [...left, ...ended]
      for (const account of unsaved) account.isSaved = false
    }
  }

  return { peek, spend, save }
}

function isCurrent(account: Account, company: Company, now: number): boolean {
  return (
    now < account.day.endsAt && now >= account.day.startsAt && account.timeZone === company.timeZone
  )
}

function allowanceOf(company: Company, account: Account): Allowance {
  const limit = company.allowance
  return {
    limit,
    remaining: limit === null ? null : Math.max(0, limit - account.used),
    resetsAt: account.day.endsAt,
  }
}
