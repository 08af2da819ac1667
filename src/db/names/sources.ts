import { type NameKind, nameKinds } from '../../domain/name-terms.ts'

/** Where the names are kept that the index has the terms of. */
export const nameSources: Readonly<Record<NameKind, { table: string; column: string }>> = {
  project: { table: 'projects', column: 'name' },
  task_list: { table: 'task_lists', column: 'title' },
  task: { table: 'tasks', column: 'title' },
  folder: { table: 'folders', column: 'name' },
  file: { table: 'files', column: 'name' },
  discussion: { table: 'discussions', column: 'title' },
}

/** Of the two, one answers; the other is empty, being built, or being cleared away. */
export type Generation = 0 | 1

export const generations: readonly Generation[] = [0, 1]

/** SQL for the number of a record's row in the index. */
export function rowOf(kind: NameKind, id: string, generation: string | Generation): string {
  return `${id} * 16 + ${generation} * 8 + ${nameKinds.indexOf(kind)}`
}

/** SQL for the record, and for the generation, of a row. */
export function recordOf(row: string): string {
  return `${row} >> 4`
}

export function generationOf(row: string): string {
  return `${row} >> 3 & 1`
}
