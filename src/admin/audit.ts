import { formatUtc } from '../domain/instant.ts'
import { findCompany } from './companies.ts'
import type { AdminContext } from './context.ts'

export const outcomes = ['allowed', 'denied'] as const
type Outcome = (typeof outcomes)[number]

interface AuditRow {
  id: number
  at: number
  outcome: Outcome
  operation: string
  method: string
  path: string
  status: number | null
  ip: string | null
  key_id: number | null
  key_name: string | null
  request_id: string | null
}

export interface AuditQuery {
  companyId: number
  outcome: Outcome | null
  limit: number
}

export function listAudit(context: AdminContext, { companyId, outcome, limit }: AuditQuery) {
  findCompany(context, companyId)
  return context.db
    .prepare<[number, number], AuditRow>(`
      select
        a.id, a.at, a.outcome, a.operation, a.method, a.path, a.status, a.ip, a.key_id,
        k.name as key_name, a.request_id
      from audit_entries a
      left join api_keys k on k.id = a.key_id
      where a.company_id = ? ${outcome === null ? '' : `and a.outcome = '${outcome}'`}
      order by a.id desc limit ?`)
    .all(companyId, limit)
    .map(shape)
}

function shape(row: AuditRow) {
  return {
    id: row.id,
    at: formatUtc(row.at),
    outcome: row.outcome,
    operation: row.operation,
    method: row.method,
    path: row.path,
    status: row.status,
    ip: row.ip,
    key_id: row.key_id,
    key_name: row.key_name,
    request_id: row.request_id,
  }
}
