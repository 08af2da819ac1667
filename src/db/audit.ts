import type { Db } from './database.ts'

export interface AuditEntry {
  companyId: number
  at: number
  outcome: 'allowed' | 'denied'
  operation: string
  method: string
  path: string
  status: number | null
  ip: string | null
  keyId: number | null
  requestId: string | null
}

export function auditLog(db: Db) {
  const insert = db.prepare(`
    insert into audit_entries
      (company_id, at, outcome, operation, method, path, status, ip, key_id, request_id)
    values
      (@companyId, @at, @outcome, @operation, @method, @path, @status, @ip, @keyId, @requestId)`)

  return {
    record(entry: AuditEntry): void {
      insert.run(entry)
    },
  }
}
