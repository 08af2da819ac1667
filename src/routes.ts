import type { Route } from './http/route.ts'
import { accountRoutes } from './resources/account/routes.ts'
import { commentRoutes } from './resources/comments/routes.ts'
import { discussionRoutes } from './resources/discussions/routes.ts'
import { eventRoutes } from './resources/events/routes.ts'
import { fileRoutes } from './resources/files/routes.ts'
import { folderRoutes } from './resources/folders/routes.ts'
import { listRoutes } from './resources/lists/routes.ts'
import { memberRoutes } from './resources/members/routes.ts'
import { projectRoutes } from './resources/projects/routes.ts'
import { searchRoutes } from './resources/search/routes.ts'
import { taskRoutes } from './resources/tasks/routes.ts'

/** THE table of the surface. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...projectRoutes,
  ...memberRoutes,
  ...listRoutes,
  ...taskRoutes,
  ...commentRoutes,
  ...discussionRoutes,
  ...folderRoutes,
  ...fileRoutes,
  ...eventRoutes,
  ...searchRoutes,
]
