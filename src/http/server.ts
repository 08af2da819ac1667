import { Failure } from '../domain/failure.ts'
import type { Receive, Transport, TransportOptions } from './exchange.ts'
import { nodeTransport } from './node.ts'
import { loadUws, uwsTransport } from './uws.ts'

export const transportNames = ['uws', 'node'] as const
export type TransportName = (typeof transportNames)[number]

/** uWebSockets.js by default; node:http where it is asked for, or where there is no binary of the former. */
export async function openTransport(
  name: TransportName,
  receive: Receive,
  options: TransportOptions & { warn(sentence: string): void },
): Promise<Transport> {
  if (name === 'node') return nodeTransport(receive, options)
  const uws = await loadUws().catch((error: Error) => {
    // What the operator can mend would stop the database's addon next.
    if (error instanceof Failure) throw error
    const [reason = 'no reason given'] = error.message.split('\n')
    options.warn(`uWebSockets.js cannot be loaded here, so node:http serves instead: ${reason}`)
    return null
  })
  return uws ? uwsTransport(uws, receive, options) : nodeTransport(receive, options)
}
