import type { Gates } from '../http/call.ts'
import type { Router } from '../http/match.ts'
import { authenticate, stillValid } from './authenticate.ts'
import { burstPerIp, burstPerKey } from './burst.ts'
import { feature } from './feature.ts'
import { flag } from './flag.ts'
import { input } from './input.ts'
import type { Keyring } from './keyring.ts'
import { operation } from './operation.ts'
import { plan } from './plan.ts'
import { policy } from './policy.ts'
import { type QuotaLedger, quota } from './quota.ts'
import { type ResolverOf, record } from './record.ts'
import { routing } from './routing.ts'

export interface GateParts {
  burstPerIp: number
  burstPerKey: number
  keyring: Keyring
  ledger: QuotaLedger
  match: Router
  now(): number
  resolverOf: ResolverOf
  isArchived(address: Record<string, unknown>): boolean
}

/** The order of checks (contract: Order of checks under /api/v1), said once. */
export function buildGates(parts: GateParts): Gates {
  return {
    ofHead: [
      burstPerIp(parts.burstPerIp),
      burstPerKey(parts.burstPerKey),
      authenticate(parts.keyring),
      flag,
      plan,
      quota(parts.ledger),
      routing(parts.match),
      operation,
      feature,
    ],
    ofRecord: [
      stillValid(parts.keyring, parts.now),
      record(parts.resolverOf),
      policy(parts.isArchived),
    ],
    ofInput: [input],
  }
}
