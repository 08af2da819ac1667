import type { Gate } from '../http/call.ts'
import { planWithoutTimeTracking } from '../http/errors.ts'

export const feature: Gate = (call) => {
  const needed = call.target.feature
  if (needed === undefined) return
  const { plan } = call.company
  if (!plan.features.includes(needed)) throw planWithoutTimeTracking(plan)
}
