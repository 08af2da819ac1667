import { isDeepStrictEqual } from 'node:util'
import { withChanges } from '../../domain/changes.ts'
import { blankFolder, type FolderFields, MOST_LEVELS } from '../../domain/folder.ts'
import { excerpt } from '../../domain/text.ts'
import { unprocessable } from '../../http/errors.ts'
import { created, deleted, ok } from '../../http/reply.ts'
import { createdOne, route, single } from '../context.ts'
import {
  DeletedFolder,
  Folder,
  FolderChanges,
  fieldsOfFolder,
  folderExample,
  NewFolderBody,
  shapeFolder,
} from './shape.ts'
import type { FolderRow, FolderStore } from './store.ts'

const tag = 'Folders'
const allFolders = ['/projects/{project_id}/folders'] as const
const oneFolder = ['/projects/{project_id}/folders/{folder_id}'] as const

export const folderRoutes = [
  route({
    name: 'createFolder',
    tag,
    summary: 'Create a folder',
    description: 'In the folder `parent_folder_id`, or at the root of the project without it.',
    method: 'POST',
    paths: allFolders,
    operation: 'files:write',
    right: 'manage_files',
    query: {},
    body: NewFolderBody,
    bodyExample: { name: 'شعارات' },
    reply: createdOne(Folder, 'The new folder', folderExample),
    handle({ address: { project_id: project }, caller, now, body }, { folders }) {
      const fields = withChanges(blankFolder, body)
      refuseWrongPlace(folders, project.id, fields, null)
      const identity = { project, creatorId: caller.creator.id, now }
      return created(shapeFolder(folders.create({ ...fields, ...identity })))
    },
  }),

  route({
    name: 'getFolder',
    tag,
    summary: 'Show a folder',
    method: 'GET',
    paths: oneFolder,
    operation: 'files:read',
    query: {},
    reply: single(Folder, 'The folder', folderExample),
    handle: ({ address }) => ok(shapeFolder(address.folder_id)),
  }),

  route({
    name: 'updateFolder',
    tag,
    summary: 'Rename, describe or move a folder',
    description:
      'Only the sent fields change. `parent_folder_id` moves it with all that it holds; null moves it to the root.',
    method: 'PATCH',
    paths: oneFolder,
    operation: 'files:write',
    right: 'manage_files',
    query: {},
    body: FolderChanges,
    bodyExample: { name: 'Logos', parent_folder_id: null },
    reply: single(Folder, 'The folder as it is now', folderExample),
    handle({ address: { folder_id: folder }, now, body }, { folders }) {
      const before = fieldsOfFolder(folder)
      const fields = withChanges(before, body)
      if (isDeepStrictEqual(fields, before)) return ok(shapeFolder(folder))
      refuseWrongPlace(folders, folder.project_id, fields, folder)
      return ok(shapeFolder(folders.update(folder, fields, now)))
    },
  }),

  route({
    name: 'deleteFolder',
    tag,
    summary: 'Delete a folder with everything in it',
    description:
      'For good, with every subfolder and file below it, whoever made them: the right `delete_any_file` is needed for one’s own folder too.',
    method: 'DELETE',
    paths: oneFolder,
    operation: 'files:destructive',
    right: 'delete_any_file',
    leavesWork: true,
    query: {},
    reply: single(DeletedFolder, 'What was deleted', {
      deleted: true,
      folder: { id: folderExample.id, name: folderExample.name },
      destroyed: { files: 12, subfolders: 3 },
    }),
    handle({ address: { folder_id: folder } }, { folders }) {
      const { files, subfolders } = folders.contents(folder)
      folders.remove(folder)
      const { id, name } = folder
      return deleted({ folder: { id, name }, destroyed: { files, subfolders } })
    },
  }),
]

/** `folder` is null for one that is about to be made. */
function refuseWrongPlace(
  folders: FolderStore,
  projectId: number,
  { name, parent_folder_id: parentId }: FolderFields,
  folder: FolderRow | null,
): void {
  const parent = parentId === null ? null : folders.byId(projectId, parentId)
  if (parent === undefined) {
    throw unprocessable(`parent_folder_id ${parentId} is no folder of this project`)
  }
  if (parent !== null && folder !== null && folders.holds(folder, parent.id)) {
    throw unprocessable("parent_folder_id can't be the folder itself or one below it")
  }
  const height = folder === null ? 0 : folders.contents(folder).height
  if ((parent?.level ?? 0) + 1 + height > MOST_LEVELS) {
    throw unprocessable(`parent_folder_id would nest folders more than ${MOST_LEVELS} levels deep`)
  }
  const taken = folders.idByName(projectId, parentId, name)
  if (taken !== undefined && taken !== folder?.id) {
    throw unprocessable(`name ${excerpt(name)} is taken by another folder in the same place`)
  }
}
