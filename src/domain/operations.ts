/** spec: Authentication 6. The order here is the order in which `/me` and the OpenAPI document name them. */
export const operations = [
  'account:read',
  'projects:read',
  'projects:write',
  'projects:destructive',
  'task_lists:read',
  'task_lists:write',
  'task_lists:destructive',
  'tasks:read',
  'tasks:write',
  'tasks:destructive',
  'discussions:read',
  'discussions:write',
  'discussions:destructive',
  'comments:read',
  'comments:write',
  'files:read',
  'files:write',
  'files:destructive',
  'events:read',
  'events:write',
  'events:destructive',
] as const

export type Operation = (typeof operations)[number]

export const scopes = ['read', 'write'] as const
export type Scope = (typeof scopes)[number]

export const rights = [
  'manage_files',
  'delete_any_file',
  'delete_any_task_or_list',
  'delete_any_project',
] as const
export type Right = (typeof rights)[number]

export interface Grant {
  scope: Scope
  operations: readonly Operation[]
  rights: readonly Right[]
}

/** What each preset ticks. Destructive operations and `delete_any_*` are only ever ticked by name. */
export const presets: Record<Scope, Grant> = {
  read: { scope: 'read', operations: operations.filter(isRead), rights: [] },
  write: {
    scope: 'write',
    operations: operations.filter((operation) => !operation.endsWith(':destructive')),
    rights: ['manage_files'],
  },
}

export function scopePermits(scope: Scope, operation: Operation): boolean {
  return scope === 'write' || isRead(operation)
}

export function inCatalogOrder<T>(catalog: readonly T[], chosen: Iterable<T>): T[] {
  const wanted = new Set(chosen)
  return catalog.filter((item) => wanted.has(item))
}

function isRead(operation: Operation): boolean {
  return operation.endsWith(':read')
}
