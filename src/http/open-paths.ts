import { unknownEndpoint } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { line, standingLines, together } from './reply.ts'

export interface OpenPaths {
  nextRequestId(): string
  openApi(): string
  /** Null when the server can take work, else the reason it cannot. */
  whyNotReady(): string | null
}

/** What is answered without a key: the probes of an operator, and the description of the API. */
export function answerOpenPath(parts: OpenPaths, exchange: Exchange): void {
  const { method, path } = exchange.head
  const headers = together(standingLines, line('X-Request-Id', parts.nextRequestId()))
  const [status, body] = answer(parts, method === 'HEAD' ? 'GET' : method, path)
  if (exchange.head.hasBody) exchange.readBody(0, () => exchange.send(status, headers, body))
  else exchange.send(status, headers, body)
}

function answer(parts: OpenPaths, method: string, path: string): [status: number, body: string] {
  switch (`${method} ${path}`) {
    case 'GET /healthz':
      return [200, JSON.stringify({ status: 'ok' })]
    case 'GET /readyz': {
      const reason = parts.whyNotReady()
      if (reason === null) return [200, JSON.stringify({ status: 'ready' })]
      return [503, JSON.stringify({ status: 'not ready', reason })]
    }
    case 'GET /openapi.json':
      return [200, parts.openApi()]
    default: {
      const refusal = unknownEndpoint(method, path)
      return [refusal.status, refusal.body]
    }
  }
}
