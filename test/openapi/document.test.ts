import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { operations } from '../../src/domain/operations.ts'
import { writes } from '../../src/http/route.ts'
import { openApiDocument } from '../../src/openapi/document.ts'
import { routes } from '../../src/routes.ts'
import { boot } from '../support/boot.ts'
import { everyAddress, fill, goodBody, populate, refsOf } from '../support/routes.ts'

interface Operation {
  operationId: string
  'x-operation': string
  parameters: { name: string; in: string; description?: string }[]
  requestBody?: { content: { 'application/json': { schema: object; example: object } } }
  responses: Record<string, { content?: Record<string, { example: unknown }> }>
}

interface Document {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  security: object[]
  components: { securitySchemes: { apiKey: { type: string; scheme: string } } }
  paths: Record<string, Record<string, Operation>>
}

const document = openApiDocument() as unknown as Document

test('the document is OpenAPI 3.1 of contract version 1.2.0, with the Bearer scheme', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.version, '1.2.0')
  assert.equal(document.servers[0]?.url, '/api/v1')
  const { type, scheme } = document.components.securitySchemes.apiKey
  assert.deepEqual([type, scheme, document.security], ['http', 'bearer', [{ apiKey: [] }]])
})

test('every route of the table is in the document, and nothing else', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(
    described.sort(),
    everyAddress(routes)
      .map(({ title }) => title)
      .sort(),
  )
})

test('no two operations have one id', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  assert.equal(new Set(ids).size, ids.length)
})

for (const { route, path, title } of everyAddress(routes)) {
  const described = document.paths[path]?.[route.method.toLowerCase()] as Operation

  test(`${title} is described with its operation, its refusals, and examples`, () => {
    assert.equal(described['x-operation'], route.operation)
    assert.ok(operations.includes(route.operation))
    const refusals = writes(route)
      ? ['401', '403', '404', '409', '422', '429', '500']
      : ['401', '403', '404', ...(route.name === 'listEvents' ? ['422'] : []), '429', '500']
    const { reply } = route
    const answers = 'schema' in reply ? [String(reply.status)] : [String(reply.status), '302']
    assert.deepEqual(Object.keys(described.responses), [...answers, ...refusals])
    if ('schema' in reply) {
      const answer = described.responses[reply.status]?.content?.['application/json']?.example
      assert.doesNotThrow(() => v.parse(reply.schema, answer), 'the example has the shape')
    } else assert.ok(described.responses[reply.status]?.content?.['*/*'])
    for (const parameter of described.parameters) assert.ok(parameter.description, parameter.name)
    if (route.body) {
      const sent = described.requestBody?.content['application/json'].example
      assert.doesNotThrow(() => v.parse(route.body as v.GenericSchema, sent))
    }
  })

  const { reply } = route
  if (!('schema' in reply)) continue
  test(`${title} answers what the document says, field for field`, async (t) => {
    const { majlis, api } = await boot(t, { plan: 'productive' })
    const handles = refsOf(populate(majlis.company))
    const answer = await api.send(route.method, fill(path, handles), goodBody(route, handles))
    assert.equal(answer.status, reply.status)
    // valibot drops what the schema does not name: an answer with more fields would not be equal.
    assert.deepEqual(v.parse(reply.schema, answer.body), answer.body)
  })
}
