import type { Db } from '../database.ts'
import { addEventCounts } from './event-counts.ts'
import { addFileBytes } from './file-bytes.ts'
import { addNameIndexes } from './name-indexes.ts'
import { addTaskBlocks } from './task-blocks.ts'

export type Migration = (db: Db) => void

/**
 * Forward only. The first entry takes version 1 to version 2, and so on; each runs in a transaction of its own.
 * Whoever adds one also changes schema.sql, which is what a fresh database gets.
 */
export const migrations: readonly Migration[] = [
  addTaskBlocks,
  addFileBytes,
  addEventCounts,
  addNameIndexes,
]
