import type { Route } from '../../src/http/route.ts'
import type { SeededProject } from '../../src/index.ts'

/** One address of one route, as the table-driven tests walk them. */
export interface Address {
  route: Route
  path: string
  title: string
}

export function everyAddress(routes: readonly Route[]): Address[] {
  return routes.flatMap((route) =>
    route.paths.map((path) => ({ route, path, title: `${route.method} ${path}` })),
  )
}

export interface Handles {
  project_id: string
}

/** Puts handles into the parameters of a path. */
export function fill(path: string, handles: Handles): string {
  return path.replace(/\{(\w+)\}/g, (_, name: keyof Handles) => encodeURIComponent(handles[name]))
}

export function refsOf(project: SeededProject): Handles {
  return { project_id: project.id }
}

export const missing: Handles = { project_id: 'prj-0000000000' }

/** A body that each write with one accepts. */
export function goodBody(route: Route): unknown {
  return route.body === undefined ? undefined : (route.bodyExample ?? {})
}
