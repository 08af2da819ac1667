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
  const accounts = new Map<number, Account>()

  function accountOf(company: Company, now: number): Account {
    const account = accounts.get(company.id)
    if (account && isCurrent(account, company, now)) return account
    if (account && !account.isSaved) {
      ports.saveUsed(company.id, account.day.date, account.used)
    }
    const day = companyDay(company.timeZone, now)
    const opened: Account = {
      timeZone: company.timeZone,
      day,
      used: ports.readUsed(company.id, day.date),
      isSaved: true,
    }
    accounts.set(company.id, opened)
    return opened
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

  function save(): void {
    for (const [companyId, account] of accounts) {
      if (account.isSaved) continue
      ports.saveUsed(companyId, account.day.date, account.used)
      account.isSaved = true
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
