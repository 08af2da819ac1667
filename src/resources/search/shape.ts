import * as v from 'valibot'
import { type NameKind, nameKinds } from '../../domain/name-terms.ts'
import type { HitRow } from './sources.ts'
import type { Found } from './store.ts'

const number = v.pipe(v.number(), v.integer())

export const SearchResult = v.variant('type', [
  v.object({
    type: v.literal('project'),
    id: v.string(),
    title: v.string(),
    project_slug: v.string(),
    archived: v.boolean(),
  }),
  v.object({
    type: v.literal('task_list'),
    id: v.string(),
    title: v.string(),
    project_slug: v.string(),
    task_list_slug: v.string(),
    completed: v.boolean(),
  }),
  v.object({
    type: v.literal('task'),
    id: v.string(),
    title: v.string(),
    project_slug: v.string(),
    task_list_slug: v.string(),
    task_slug: v.string(),
    completed: v.boolean(),
  }),
  v.object({
    type: v.literal('folder'),
    name: v.string(),
    project_slug: v.string(),
    folder_id: number,
  }),
  v.object({
    type: v.literal('file'),
    id: v.string(),
    name: v.string(),
    project_slug: v.string(),
    folder_id: v.nullable(number),
    file_id: number,
  }),
  v.object({
    type: v.literal('discussion'),
    id: v.string(),
    title: v.string(),
    project_slug: v.string(),
    discussion_slug: v.string(),
  }),
])

type Hit = v.InferOutput<typeof SearchResult>

export const Search = v.object({
  query: v.string(),
  results: v.array(SearchResult),
  truncated: v.array(v.picklist(nameKinds)),
})

export function shapeSearch(
  query: string,
  { hits, truncated }: Found,
): v.InferOutput<typeof Search> {
  return { query, results: hits.map((row) => shapes[row.kind](row)), truncated: [...truncated] }
}

/** What a kind of record always has is there in its rows. */
const shapes: Readonly<Record<NameKind, (row: HitRow) => Hit>> = {
  project: (row) => ({
    type: 'project',
    id: row.ref as string,
    title: row.name,
    project_slug: row.project_slug,
    archived: row.is_over === 1,
  }),
  task_list: (row) => ({
    type: 'task_list',
    id: row.ref as string,
    title: row.name,
    project_slug: row.project_slug,
    task_list_slug: row.list_slug as string,
    completed: row.is_over === 1,
  }),
  task: (row) => ({
    type: 'task',
    id: row.ref as string,
    title: row.name,
    project_slug: row.project_slug,
    task_list_slug: row.list_slug as string,
    task_slug: row.slug as string,
    completed: row.is_over === 1,
  }),
  folder: (row) => ({
    type: 'folder',
    name: row.name,
    project_slug: row.project_slug,
    folder_id: row.id,
  }),
  file: (row) => ({
    type: 'file',
    id: row.ref as string,
    name: row.name,
    project_slug: row.project_slug,
    folder_id: row.folder_id,
    file_id: row.id,
  }),
  discussion: (row) => ({
    type: 'discussion',
    id: row.ref as string,
    title: row.name,
    project_slug: row.project_slug,
    discussion_slug: row.slug as string,
  }),
}

export const searchExample = {
  query: 'احمد',
  results: [
    {
      type: 'task',
      id: 'tsk-7h3k9m2p4x',
      title: 'دعوة أحمد الغامدي',
      project_slug: 'مؤتمر-الرياض-riyadh-summit',
      task_list_slug: 'المتحدثون-speakers',
      task_slug: 'دعوة-أحمد-الغامدي',
      completed: true,
    },
    {
      type: 'file',
      id: 'fil-4c8t2n6v0q',
      name: 'سيرة الأستاذ أحمد.pdf',
      project_slug: 'مؤتمر-الرياض-riyadh-summit',
      folder_id: 12,
      file_id: 31,
    },
  ],
  truncated: [],
} satisfies v.InferOutput<typeof Search>
