import type { Route } from './http/route.ts'
import { accountRoutes } from './resources/account/routes.ts'
import { memberRoutes } from './resources/members/routes.ts'
import { projectRoutes } from './resources/projects/routes.ts'

/** THE table of the surface. */
export const routes: readonly Route[] = [...accountRoutes, ...projectRoutes, ...memberRoutes]
