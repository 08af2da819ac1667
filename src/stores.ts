import type { Db } from './db/database.ts'
import type { RandomBelow } from './domain/handle.ts'
import { accountStore } from './resources/account/store.ts'
import { commentStore } from './resources/comments/store.ts'
import { discussionStore } from './resources/discussions/store.ts'
import { connectionStore } from './resources/events/connections.ts'
import { eventStore } from './resources/events/store.ts'
import { byteLedger } from './resources/files/bytes.ts'
import { fileStore } from './resources/files/store.ts'
import { folderStore } from './resources/folders/store.ts'
import { listStore } from './resources/lists/store.ts'
import { memberStore } from './resources/members/store.ts'
import { projectStore } from './resources/projects/store.ts'
import { searchStore } from './resources/search/store.ts'
import { taskStore } from './resources/tasks/store.ts'

export type Stores = ReturnType<typeof createStores>

/** Every statement of the server is prepared here, once; a mismatch with the schema fails at start. */
export function createStores(db: Db, randomBelow: RandomBelow) {
  const members = memberStore(db)
  const projects = projectStore(db, randomBelow)
  const lists = listStore(db, randomBelow, projects)
  const folders = folderStore(db)
  const bytes = byteLedger(db)
  const connections = connectionStore(db)
  return {
    account: accountStore(db),
    members,
    projects,
    lists,
    tasks: taskStore(db, randomBelow, lists),
    comments: commentStore(db),
    folders,
    files: fileStore(db, randomBelow, { projects, folders, scans: bytes.scans }),
    bytes,
    connections,
    events: eventStore(db, connections),
    search: searchStore(db),
    discussions: discussionStore(db, randomBelow, { projects, members }),
  }
}
