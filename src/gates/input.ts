import { capOf, parseBody, refuseTooLarge } from '../http/body.ts'
import type { Gate } from '../http/call.ts'
import { readQuery } from '../http/query.ts'

export const input: Gate = (call) => {
  const route = call.target
  call.query = readQuery(route.query, call.head.query)
  if (call.rawBody === null) return
  refuseTooLarge(call.rawBody, capOf(route))
  if (route.body !== undefined) call.body = parseBody(route.body, call.rawBody)
}
