import type { AuditEntry } from '../db/audit.ts'
import { redactKeys } from '../domain/key-text.ts'
import type { Call } from './call.ts'

/** What the log keeps of a call. */
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

/** What the audit trail keeps of it. */
export function entryOf(call: Call, outcome: 'allowed' | 'denied', status: number): AuditEntry {
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

export function lineOf(call: Call, status: number, duration: number): RequestLine {
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
