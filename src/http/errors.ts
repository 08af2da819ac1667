import type { Plan } from '../domain/plans.ts'

/** The closed table of everything that can be refused (spec: Errors). `throttled` is the one without a code. */
const errorStatuses = {
  unauthorized: 401,
  forbidden: 403,
  plan_upgrade_required: 403,
  not_found: 404,
  unknown_endpoint: 404,
  conflict: 409,
  unprocessable_entity: 422,
  rate_limit_exceeded: 429,
  throttled: 429,
  internal_error: 500,
} as const

export type ErrorCode = keyof typeof errorStatuses

export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly retryAfter: number | null
  readonly path: string | null

  constructor(
    code: ErrorCode,
    message: string,
    extra: { retryAfter?: number; path?: string } = {},
  ) {
    // A refusal is an answer, not a fault: nobody reads its stack, and taking one is most of its cost.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.retryAfter = extra.retryAfter ?? null
    this.path = extra.path ?? null
  }

  get status(): number {
    return errorStatuses[this.code]
  }

  get body(): string {
    if (this.code === 'throttled') return JSON.stringify({ error: this.message })
    const error: Record<string, string> = { code: this.code, message: this.message }
    if (this.path !== null) error.path = this.path
    return JSON.stringify({ error })
  }
}

/** One body for a missing, malformed, wrong, expired and revoked key: nobody learns which it was. */
export function unauthorized(): ApiError {
  return new ApiError(
    'unauthorized',
    'Missing or invalid API key. Send it as "Authorization: Bearer svc_api_…".',
  )
}

export function forbidden(message: string): ApiError {
  return new ApiError('forbidden', message)
}

export function planWithoutApi(plan: Plan): ApiError {
  return new ApiError(
    'plan_upgrade_required',
    `The ${plan.label.en} plan has no API access; it comes with the Advanced, Productive and Enterprise plans. / الباقة ${plan.label.ar} لا تتضمن استخدام واجهة البرمجة؛ وهي متاحة في الباقات المتقدمة والإنتاجية والمؤسسات.`,
  )
}

/** The plan has access, but the company's own daily limit is 0. */
export function noAllowance(plan: Plan): ApiError {
  return new ApiError(
    'plan_upgrade_required',
    `This company's daily limit on the ${plan.label.en} plan is set to 0 calls; an administrator can raise it. / الحد اليومي لهذه الشركة في الباقة ${plan.label.ar} هو 0 استدعاء؛ ويمكن للمسؤول رفعه.`,
  )
}

export function planWithoutTimeTracking(plan: Plan): ApiError {
  return new ApiError(
    'plan_upgrade_required',
    `The ${plan.label.en} plan has no time tracking; it comes with the Productive and Enterprise plans. / الباقة ${plan.label.ar} لا تتضمن تتبع الوقت؛ وهو متاح في باقتي الإنتاجية والمؤسسات.`,
  )
}

/** One body for what is missing, another company's, of the wrong kind, or under another parent. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'There is no such record, or this key cannot reach it.')
}

export function unknownEndpoint(method: string, path: string): ApiError {
  return new ApiError('unknown_endpoint', `No endpoint answers ${method} at this path.`, { path })
}

export function conflict(
  message = 'Another change took the same place first; send the request again.',
): ApiError {
  return new ApiError('conflict', message)
}

export function unprocessable(message: string): ApiError {
  return new ApiError('unprocessable_entity', message)
}

export function allowanceSpent(plan: Plan, allowance: number, retryAfter: number): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `The ${plan.label.en} plan's ${allowance} API calls for today are spent; they return at midnight in the company's time zone. / استُهلكت استدعاءات اليوم وعددها ${allowance} في الباقة ${plan.label.ar}، وتتجدد عند منتصف الليل بتوقيت الشركة.`,
    { retryAfter },
  )
}

export function throttled(limit: number, retryAfter: number): ApiError {
  return new ApiError(
    'throttled',
    `Too many requests: at most ${limit} a minute. Try again in ${retryAfter} seconds.`,
    { retryAfter },
  )
}

export function internalError(): ApiError {
  return new ApiError(
    'internal_error',
    'Something went wrong on our side; the X-Request-Id names this call in the server log.',
  )
}
