import { findByHandle, type Resolver } from './http/address.ts'
import type { Call } from './http/call.ts'
import type { ProjectRow } from './resources/projects/store.ts'
import type { Stores } from './stores.ts'

/** The record that each path parameter of the surface names. */
export interface Address {
  project_id: ProjectRow
}

export function resolvers(stores: Stores): (parameter: string, call: Call) => Resolver {
  const table: Record<keyof Address, (call: Call) => Resolver> = {
    project_id: (call) => (handle) =>
      findByHandle('project', handle, call.company.id, {
        byRef: (ref) => stores.projects.byRef(call.company.id, ref),
        bySlug: stores.projects.bySlug,
        isUnder: (project, companyId) => project.company_id === companyId,
      }),
  }
  return (parameter, call) => table[parameter as keyof Address](call)
}

/** A record without a project in reach would be writable in an archive for want of a look, so that is a fault. */
export function isArchived(address: Record<string, unknown>): boolean {
  const { project_id: project } = address as Partial<Address>
  if (project !== undefined) return project.archived_at !== null
  if (Object.keys(address).length > 0) throw new Error('An address leads to no project')
  return false
}
