import type { Gate } from '../http/call.ts'
import { notFound } from '../http/errors.ts'

/** spec: What the service does 1. While the flag is off the surface is hidden, not forbidden. */
export const flag: Gate = (call) => {
  if (!call.company.restApi) throw notFound()
}
