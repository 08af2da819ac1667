import type { Call, Gate } from '../http/call.ts'
import { forbidden } from '../http/errors.ts'
import { writes } from '../http/route.ts'

/** spec: States. A read-only subscription and an archived project are frozen, whatever the key allows. */
export function policy(isArchived: (address: Record<string, unknown>) => boolean): Gate {
  return (call) => {
    const route = call.target
    if (!writes(route)) return
    if (call.company.readOnly) {
      throw forbidden('The subscription of this company is read-only; nothing can be changed.')
    }
    if (!route.worksInArchive && isArchived(call.address)) {
      throw forbidden('This project is archived; unarchive it before changing anything in it.')
    }
    if (route.onlyOwn !== undefined && !isOwn(call, route.onlyOwn)) {
      throw forbidden('Only the person who made this may change it.')
    }
    if (route.right !== undefined && !mayWithout(call) && !call.caller.rights.has(route.right)) {
      throw forbidden(`This key does not carry the right ${route.right}.`)
    }
  }
}

/** A key owns what its signature has made, with whatever key that was. */
function isOwn({ address, caller }: Call, parameter: string): boolean {
  const record = address[parameter] as { creator_id: number }
  return record.creator_id === caller.creator.id
}

function mayWithout(call: Call): boolean {
  const { unlessOwn } = call.target
  return unlessOwn !== undefined && isOwn(call, unlessOwn)
}
