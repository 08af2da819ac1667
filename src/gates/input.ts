import { parseBody } from '../http/body.ts'
import type { Gate } from '../http/call.ts'
import { readQuery } from '../http/query.ts'

export const input: Gate = (call) => {
  const route = call.target
  call.query = readQuery(route.query, call.head.query)
  if (route.body !== undefined) call.body = parseBody(route.body, call.rawBody ?? Buffer.alloc(0))
}
