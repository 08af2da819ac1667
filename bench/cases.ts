import { collection, ok } from '../src/http/reply.ts'
import { shapeProject } from '../src/resources/projects/shape.ts'
import type { Stores } from '../src/stores.ts'
import type { Seeded } from './seed.ts'

/** One line of the result. A new one needs nothing but an entry here. */
export interface Case {
  readonly name: string
  /** What is asked for, in turn; relative to the base address. */
  paths(seeded: Seeded): string[]
  /** The same work without the house around it: where the bare server answers, and with which body. */
  readonly pattern: string
  bareBody(stores: Stores, companyId: number, parameter: string): string
}

const firstPage = { limit: 50, offset: 0 }

export const cases: readonly Case[] = [
  {
    name: 'GET /projects/{ref}',
    paths: ({ projectRefs }) => projectRefs.map((ref) => `/projects/${ref}`),
    pattern: '/projects/:ref',
    bareBody({ projects }, companyId, ref) {
      const row = projects.byRef(companyId, ref)
      if (row === undefined) throw new Error(`There is no project ${ref}`)
      return ok(shapeProject(row)).body
    },
  },
  {
    name: 'GET /projects (50)',
    paths: () => ['/projects'],
    pattern: '/projects',
    bareBody: ({ projects }, companyId) =>
      collection(
        projects.page(companyId, false, firstPage).map(shapeProject),
        projects.total(companyId, false),
        firstPage,
      ).body,
  },
]
