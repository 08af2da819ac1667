import { plans } from '../domain/plans.ts'
import {
  type ApiError,
  allowanceSpent,
  conflict,
  forbidden,
  internalError,
  notFound,
  planWithoutApi,
  throttled,
  unauthorized,
  unknownEndpoint,
  unprocessable,
} from '../http/errors.ts'
import { type Route, writes } from '../http/route.ts'
import type { JsonSchema } from './schemas.ts'

/** Every refusal by its status, with the bodies that a client will see. */
const refusals: Record<string, { description: string; examples: Record<string, ApiError> }> = {
  '401': {
    description: 'Missing or invalid API key',
    examples: { unauthorized: unauthorized() },
  },
  '403': {
    description:
      "The key's scope or operations, a right, an archived project or a read-only subscription forbids it; or the plan does not carry it",
    examples: {
      forbidden: forbidden('This key does not carry the operation projects:write.'),
      plan_upgrade_required: planWithoutApi(plans.free),
    },
  },
  '404': {
    description:
      'The record is missing or out of reach, the API is off for the company, or no route matches',
    examples: {
      not_found: notFound(),
      unknown_endpoint: unknownEndpoint('GET', '/api/v1/task-lists'),
    },
  },
  '409': {
    description: 'A uniqueness constraint lost a race; safe to retry',
    examples: { conflict: conflict() },
  },
  '422': {
    description: 'The input can be mended by the caller; the message names the field',
    examples: { unprocessable_entity: unprocessable("name can't be blank") },
  },
  '429': {
    description:
      'The daily allowance is spent (standard envelope), or the burst limit was passed (`error` is a plain string)',
    examples: {
      rate_limit_exceeded: allowanceSpent(plans.advanced, 1_000, 3_600),
      burst: throttled(300, 12),
    },
  },
  '500': {
    description: 'An unexpected fault on the side of the server',
    examples: { internal_error: internalError() },
  },
}

export const errorSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: {
            type: 'string',
            enum: Object.values(refusals).flatMap(({ examples }) =>
              Object.values(examples)
                .map(({ code }) => code)
                .filter((code) => code !== 'throttled'),
            ),
          },
          message: { type: 'string' },
          path: { type: 'string', description: 'With `unknown_endpoint`: the path as requested.' },
        },
      },
    },
  },
  BurstError: {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string' } },
  },
}

export function errorResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(refusals).map(([status, { description, examples }]) => [
      responseName(status),
      {
        description,
        headers: headersFor(status),
        content: {
          'application/json': {
            schema: status === '429' ? { anyOf: [ref('Error'), ref('BurstError')] } : ref('Error'),
            examples: Object.fromEntries(
              Object.entries(examples).map(([name, error]) => [
                name,
                { value: JSON.parse(error.body) },
              ]),
            ),
          },
        },
      },
    ]),
  )
}

/** spec: Errors. Reads may answer 401, 403, 404 and 429; writes add 409 and 422. */
export function errorsOf(route: Route): Record<string, JsonSchema> {
  const statuses = writes(route)
    ? ['401', '403', '404', '409', '422', '429', '500']
    : ['401', '403', '404', ...(route.refusesQuery ? ['422'] : []), '429', '500']
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
  )
}

export const rateLimitHeaders: Record<string, JsonSchema> = {
  'X-RateLimit-Limit': header('Calls a day, or `unlimited`', 'string'),
  'X-RateLimit-Remaining': header('Calls left today, or `unlimited`', 'string'),
  'X-RateLimit-Reset': header(
    'Unix time of the next reset; absent where the plan has no access',
    'integer',
  ),
}

function headersFor(status: string): Record<string, JsonSchema> {
  if (status === '401') return {}
  if (status !== '429') return rateLimitHeaders
  return {
    ...rateLimitHeaders,
    'Retry-After': header('Seconds to wait', 'integer'),
  }
}

function header(description: string, type: string): JsonSchema {
  return { description, schema: { type } }
}

function responseName(status: string): string {
  return `Refused${status}`
}

function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}
