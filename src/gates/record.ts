import { type Resolver, resolveAddress } from '../http/address.ts'
import type { Call, Gate } from '../http/call.ts'

export type ResolverOf = (parameter: string, call: Call) => Resolver

export function record(resolverOf: ResolverOf): Gate {
  return (call) => {
    call.address = resolveAddress(call.segments, (parameter) => resolverOf(parameter, call))
  }
}
