import type { Db } from './db/database.ts'
import { accountStore } from './resources/account/store.ts'
import { memberStore } from './resources/members/store.ts'
import { projectStore } from './resources/projects/store.ts'

/** What stores need from outside, besides the database: unpredictable numbers from 0 to limit - 1. */
export type RandomBelow = (limit: number) => number

export type Stores = ReturnType<typeof createStores>

/** Every statement of the server is prepared here, once; a mismatch with the schema fails at start. */
export function createStores(db: Db, randomBelow: RandomBelow) {
  return {
    account: accountStore(db),
    members: memberStore(db),
    projects: projectStore(db, randomBelow),
  }
}
