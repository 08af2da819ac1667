import { randomInt } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { Clock } from '../clock.ts'
import { type AuditEntry, auditLog } from '../db/audit.ts'
import type { Db } from '../db/database.ts'

/** What the use cases of administration work with, whoever asks for them. */
export interface AdminContext {
  readonly db: Db
  now(): number
  randomBelow(limit: number): number
  digest(secret: string): Promise<string>
}

export interface DigestCost {
  memoryCost: number
  timeCost: number
}

const FULL_COST: DigestCost = { memoryCost: 19 * 1024, timeCost: 2 }

export function adminContext(db: Db, clock: Clock, cost: DigestCost = FULL_COST): AdminContext {
  return {
    db,
    now: clock.now,
    randomBelow: (limit) => randomInt(limit),
    // The library's own choice of algorithm is argon2id.
    digest: (secret) => hash(secret, { parallelism: 1, ...cost }),
  }
}

/** Administration is audited like the writes of the API, with the command's words where a call has method and path. */
export function recordAdministration(
  { db, now }: AdminContext,
  entry: Pick<AuditEntry, 'companyId' | 'operation' | 'path' | 'keyId'>,
): void {
  auditLog(db).record({
    ...entry,
    at: now(),
    outcome: 'allowed',
    method: 'CLI',
    status: null,
    ip: null,
    requestId: null,
  })
}
