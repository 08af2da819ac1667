export const planNames = ['free', 'pro', 'advanced', 'productive', 'enterprise'] as const
export type PlanName = (typeof planNames)[number]

export type Feature = 'time_tracking'

export interface Plan {
  readonly name: PlanName
  readonly label: { readonly en: string; readonly ar: string }
  readonly apiAccess: boolean
  /** Calls a day; `null` is unlimited. */
  readonly dailyCalls: number | null
  readonly features: readonly Feature[]
}

/** spec: Limits; contract: Who calls 6. */
export const plans: Readonly<Record<PlanName, Plan>> = {
  free: plan('free', 'Free', 'المجانية', false, 0, []),
  pro: plan('pro', 'Pro', 'الاحترافية', false, 0, []),
  advanced: plan('advanced', 'Advanced', 'المتقدمة', true, 1_000, []),
  productive: plan('productive', 'Productive', 'الإنتاجية', true, 10_000, ['time_tracking']),
  enterprise: plan('enterprise', 'Enterprise', 'المؤسسات', true, null, ['time_tracking']),
}

/** A company's own daily limit replaces its plan's number; a plan without API access stays without. */
export function dailyAllowance(plan: Plan, ownLimit: number | null): number | null {
  if (!plan.apiAccess) return 0
  return ownLimit ?? plan.dailyCalls
}

function plan(
  name: PlanName,
  en: string,
  ar: string,
  apiAccess: boolean,
  dailyCalls: number | null,
  features: readonly Feature[],
): Plan {
  return { name, label: { en, ar }, apiAccess, dailyCalls, features }
}
