import type { Db } from '../database.ts'
import { addEventCounts } from './event-counts.ts'
import { addFileBytes } from './file-bytes.ts'
import { addNameIndexes } from './name-indexes.ts'
import { addTaskBlocks } from './task-blocks.ts'

export type Migration = (db: Db) => void

/**
 * Forward only. The first entry takes version 1 to version 2, and so on; each runs in a transaction of its own.
 * Whoever adds one also changes schema.sql, which is what a fresh database gets. A table that is built anew loses its
 * triggers, and with those of the names its place in the search: they are to be made again.
 */
export const migrations: readonly Migration[] = [
  addTaskBlocks,
  addFileBytes,
  addEventCounts,
  addNameIndexes,
]
