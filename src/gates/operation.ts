import { scopePermits } from '../domain/operations.ts'
import type { Gate } from '../http/call.ts'
import { forbidden } from '../http/errors.ts'

/** spec: Authentication 5. The scope is the ceiling, the list of operations is the gate; both must hold. */
export const operation: Gate = (call) => {
  const { operation } = call.target
  if (!scopePermits(call.caller.scope, operation)) {
    throw forbidden(`This key's scope is ${call.caller.scope}; ${operation} needs the write scope.`)
  }
  if (!call.caller.operations.has(operation)) {
    throw forbidden(`This key does not carry the operation ${operation}.`)
  }
}
