import type { Gate } from '../http/call.ts'
import { unknownEndpoint } from '../http/errors.ts'
import type { Router } from '../http/match.ts'

export const BASE_PATH = '/api/v1'

/** A path that no route has, and a known path with another method, are the same to the caller. */
export function routing(match: Router): Gate {
  return (call) => {
    const { method, path } = call.head
    const found = match(method, path.slice(BASE_PATH.length))
    if (found === null) throw unknownEndpoint(method, path)
    call.route = found.route
    call.segments = found.segments
  }
}
