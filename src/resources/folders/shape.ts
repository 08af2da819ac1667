import * as v from 'valibot'
import { count, dateTime, longText, name, numericId } from '../../domain/fields.ts'
import type { FolderFields } from '../../domain/folder.ts'
import { formatUtc } from '../../domain/instant.ts'
import type { FolderRow } from './store.ts'

export const Folder = v.object({
  id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  path: v.string(),
  description: v.nullable(v.string()),
  parent_folder_id: v.nullable(v.pipe(v.number(), v.integer())),
  created_at: dateTime(),
})

export const NewFolderBody = v.object({
  name: name(),
  description: v.optional(v.nullable(longText())),
  parent_folder_id: v.optional(v.nullable(numericId())),
})

export const FolderChanges = v.partial(NewFolderBody)

export const DeletedFolder = v.object({
  deleted: v.literal(true),
  folder: v.object({ id: v.pipe(v.number(), v.integer()), name: v.string() }),
  destroyed: v.object({ files: count(), subfolders: count() }),
})

export function shapeFolder(row: FolderRow): v.InferOutput<typeof Folder> {
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    description: row.description,
    parent_folder_id: row.parent_id,
    created_at: formatUtc(row.created_at),
  }
}

export function fieldsOfFolder({ name, description, parent_id }: FolderRow): FolderFields {
  return { name, description, parent_folder_id: parent_id }
}

export const folderExample = {
  id: 41,
  name: 'شعارات',
  path: '/Design/شعارات',
  description: null,
  parent_folder_id: 40,
  created_at: '2026-02-18T09:00:00Z',
} satisfies v.InferOutput<typeof Folder>
