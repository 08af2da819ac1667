import type { Route } from './route.ts'

/** A path parameter as the client wrote it, still percent-encoded. */
export interface PathSegment {
  readonly name: string
  readonly raw: string
}

interface Match {
  readonly route: Route
  readonly segments: readonly PathSegment[]
}

interface Target {
  readonly route: Route
  readonly names: readonly string[]
}

class Branch {
  readonly literals = new Map<string, Branch>()
  parameter: Branch | null = null
  readonly targets = new Map<string, Target>()
}

export type Router = (method: string, path: string) => Match | null

/** Compiles the table once; `path` is relative to the base address. A wrong method is no match. */
export function router(routes: readonly Route[]): Router {
  const root = new Branch()
  for (const route of routes) for (const path of route.paths) plant(root, path, route)

  return (method, path) => {
    if (!path.startsWith('/')) return null
    let branch = root
    const raws: string[] = []
    for (let start = 1, end = 0; end < path.length; start = end + 1) {
      end = path.indexOf('/', start)
      if (end < 0) end = path.length
      const piece = path.slice(start, end)
      const literal = branch.literals.get(piece)
      if (literal) {
        branch = literal
      } else {
        if (branch.parameter === null || piece === '') return null
        branch = branch.parameter
        raws.push(piece)
      }
    }
    const target = branch.targets.get(method)
    if (!target) return null
    return {
      route: target.route,
      segments: raws.map((raw, i) => ({ name: target.names[i] as string, raw })),
    }
  }
}

function plant(root: Branch, path: string, route: Route): void {
  const names: string[] = []
  let branch = root
  for (const piece of path.split('/').slice(1)) {
    if (piece.startsWith('{')) {
      names.push(piece.slice(1, -1))
      branch.parameter ??= new Branch()
      branch = branch.parameter
    } else {
      const next: Branch = branch.literals.get(piece) ?? new Branch()
      branch.literals.set(piece, next)
      branch = next
    }
  }
  if (branch.targets.has(route.method)) {
    throw new Error(`Two routes answer ${route.method} ${path}`)
  }
  branch.targets.set(route.method, { route, names })
}
