import { BASE_PATH } from '../gates/routing.ts'
import type { Route } from '../http/route.ts'
import { routes } from '../routes.ts'
import { errorResponses, errorSchemas, errorsOf, rateLimitHeaders } from './errors.ts'
import { type JsonSchema, namedSchemas, schemaOf } from './schemas.ts'

/** spec: Versioning 2. Every update raises the middle number. */
export const CONTRACT_VERSION = '1.2.0'

/** spec: Identifiers 6, 7. Under its parent a record is named by ref or slug, on a flat address by its ref only. */
const handles: Record<string, { record: string; ref: string; flat: string }> = {
  project_id: { record: 'A project', ref: 'prj-…', flat: '' },
  list_id: { record: 'A task list', ref: 'lst-…', flat: '/lists/' },
  task_id: { record: 'A task', ref: 'tsk-…', flat: '/tasks/' },
  discussion_id: { record: 'A discussion', ref: 'mjl-…', flat: '/discussions/' },
}

/** spec: Identifiers 4. */
const numbers: Record<string, string> = {
  folder_id: "A folder's number.",
  event_id: "An event's number.",
  file_id: "A file's ref (`fil-…`); under its project its number too.",
}

const tagDescriptions: Record<string, string> = {
  Account: 'The key that is calling.',
  Projects: 'Projects and the people who work on them.',
  'Task lists': 'Containers that group the tasks of a project.',
  Tasks: 'What is to be done, checked off, moved and timed.',
  Comments: 'What people say about a task list or a task.',
  Discussions: 'The majlis of a project: topics that its people talk over.',
  Files: 'Uploads and links to what is kept elsewhere.',
  Folders: 'Where the files of a project are kept.',
  Events: 'The calendar: who meets when, in the time of the company.',
  Search: 'Everything that has a name, found by it.',
}

let text: string | null = null

export function openApiText(): string {
  text ??= JSON.stringify(openApiDocument())
  return text
}

/** Everything here is read from the route table, so that the document cannot say what the server does not do. */
export function openApiDocument(): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Majlis API',
      version: CONTRACT_VERSION,
      description:
        'Projects, task lists, tasks, majlis discussions, comments, files and events of a company, in Arabic and in English. Every request carries an API key as a Bearer credential.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Majlis' },
    },
    servers: [{ url: BASE_PATH, description: 'The server that this document came from' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'svc_api_…',
          description: "A company's API key, made with `majlis key create`.",
        },
      },
      schemas: { ...namedSchemas(), ...errorSchemas },
      responses: errorResponses(),
    },
  }
}

function paths(): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {}
  for (const route of routes) {
    for (const [index, path] of route.paths.entries()) {
      found[path] = {
        ...found[path],
        [route.method.toLowerCase()]: operation(route, path, index),
      }
    }
  }
  return found
}

function operation(route: Route, path: string, index: number): JsonSchema {
  const { name, tag, summary, description, reply } = route
  return {
    operationId: index === 0 ? name : `${name}Flat`,
    tags: [tag],
    summary,
    description: [description, needs(route)].filter(Boolean).join('\n\n'),
    'x-operation': route.operation,
    parameters: [...pathParameters(path), ...queryParameters(route)],
    ...(route.body === undefined ? {} : { requestBody: requestBody(route) }),
    responses: { ...answers(reply), ...errorsOf(route) },
  }
}

function answers(reply: Route['reply']): JsonSchema {
  const { status, description } = reply
  const headers = rateLimitHeaders
  if ('schema' in reply) {
    const json = { schema: schemaOf(reply.schema), example: reply.example }
    return { [String(status)]: { description, headers, content: { 'application/json': json } } }
  }
  const bytes = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } }
  const location = { description: 'Where it lies.', schema: { type: 'string', format: 'uri' } }
  return {
    [String(status)]: {
      description,
      headers: { ...headers, 'Content-Disposition': disposition },
      content: { '*/*': bytes },
    },
    '302': { description: reply.redirect, headers: { ...headers, Location: location } },
  }
}

const disposition = {
  description: 'Always `attachment`, with the name of the file.',
  schema: { type: 'string' },
}

function needs({ operation, right, unlessOwn, onlyOwn, feature }: Route): string {
  const parts = [`the operation \`${operation}\``]
  if (right) parts.push(`the right \`${right}\`${unlessOwn ? ' for what another person made' : ''}`)
  if (onlyOwn) parts.push('to be called for the person who made it')
  if (feature) parts.push(`a plan with \`${feature}\``)
  return `Needs ${parts.join(' and ')}.`
}

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: parameterDescription(name, path),
    schema: { type: 'string' },
  }))
}

function parameterDescription(name: string, path: string): string | undefined {
  if (name in numbers) return numbers[name]
  const handle = handles[name]
  if (handle === undefined) return undefined
  const { record, ref, flat } = handle
  return flat !== '' && path.startsWith(flat)
    ? `${record}'s ref (\`${ref}\`).`
    : `${record}'s ref (\`${ref}\`) or its slug, also a retired one, percent-encoded.`
}

function queryParameters({ query }: Route): JsonSchema[] {
  return Object.entries(query).map(([name, { description, schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }))
}

function requestBody(route: Route): JsonSchema {
  return {
    required: true,
    content: {
      'application/json': {
        schema: schemaOf(route.body as NonNullable<Route['body']>),
        example: route.bodyExample,
      },
    },
  }
}
