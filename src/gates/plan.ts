import type { Gate } from '../http/call.ts'
import { noAllowance, planWithoutApi } from '../http/errors.ts'

/** spec: Limits. An allowance of zero is refused here and is never a 429. */
export const plan: Gate = (call) => {
  const { allowance, plan } = call.company
  if (allowance === 0) throw plan.apiAccess ? noAllowance(plan) : planWithoutApi(plan)
}
