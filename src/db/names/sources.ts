import { type NameKind, nameKinds } from '../../domain/name-terms.ts'

/** Where a kind of name is kept; in SQL, `r` is the record and `p` its project. */
interface NameSource {
  readonly table: string
  readonly column: string
  /** What is joined, from the record to its project. */
  readonly toProject: readonly string[]
  /** Whether it is searched for: what is deleted, or lies in a deleted project, is not. */
  readonly isLive: string
}

const inProject = {
  toProject: ['projects p on p.id = r.project_id'],
  isLive: 'p.deleted_at is null',
} as const

export const nameSources: Readonly<Record<NameKind, NameSource>> = {
  project: {
    ...inProject,
    table: 'projects',
    column: 'name',
    toProject: ['projects p on p.id = r.id'],
  },
  task_list: { ...inProject, table: 'task_lists', column: 'title' },
  task: {
    ...inProject,
    table: 'tasks',
    column: 'title',
    toProject: ['task_lists l on l.id = r.list_id', 'projects p on p.id = l.project_id'],
  },
  folder: { ...inProject, table: 'folders', column: 'name' },
  file: { ...inProject, table: 'files', column: 'name' },
  discussion: {
    ...inProject,
    table: 'discussions',
    column: 'title',
    isLive: 'p.deleted_at is null and r.deleted_at is null',
  },
}

/** From the record to its project, in this order or in the one that SQLite prefers. */
export function joined(kind: NameKind, how: 'join' | 'cross join'): string {
  return nameSources[kind].toProject.map((step) => `${how} ${step}`).join(' ')
}

/** Of the two, one answers; the other is empty, being built, or being cleared away. */
export type Generation = 0 | 1

export const generations: readonly Generation[] = [0, 1]

/** SQL for the number of a record's row in the index. */
export function rowOf(kind: NameKind, id: string, generation: string | Generation): string {
  return `${id} * 16 + ${generation} * 8 + ${nameKinds.indexOf(kind)}`
}

/** The same row in another generation than the first. */
export function inGeneration(generation: Generation, firstRow: number): number {
  return firstRow + generation * 8
}

/** SQL for the record, and for the generation, of a row. */
export function recordOf(row: string): string {
  return `${row} >> 4`
}

export function generationOf(row: string): string {
  return `${row} >> 3 & 1`
}
