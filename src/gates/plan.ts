import type { Gate } from '../http/call.ts'
import { planWithoutApi } from '../http/errors.ts'

/** spec: Limits. An allowance of zero is refused here and is never a 429. */
export const plan: Gate = (call) => {
  if (call.company.allowance === 0) throw planWithoutApi(call.company.plan)
}
