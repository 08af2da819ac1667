import { readNumericId } from '../../domain/handle.ts'
import { linkSource } from '../../domain/link-source.ts'
import { notFound, unprocessable } from '../../http/errors.ts'
import { pageQuery } from '../../http/page.ts'
import { created, deleted, level } from '../../http/reply.ts'
import { createdOne, route, single } from '../context.ts'
import { folderExample, shapeFolder } from '../folders/shape.ts'
import type { FolderRow, FolderStore } from '../folders/store.ts'
import type { ProjectRow } from '../projects/store.ts'
import { DeletedFile, File, FileLevel, linkExample, NewLinkBody, shapeFile } from './shape.ts'

const tag = 'Files'

export const fileRoutes = [
  route({
    name: 'listFiles',
    tag,
    summary: 'List one level of the file browser',
    description:
      'The folder itself (null at the root), the folders in it by name, and its files, newest first. Files are paginated, folders are not.',
    method: 'GET',
    paths: ['/projects/{project_id}/files'],
    operation: 'files:read',
    query: {
      folder_id: {
        description: 'The number of the folder to look into; without it, the root of the project.',
        schema: { type: 'integer' },
        read: (raw) => raw,
      },
      ...pageQuery,
    },
    reply: {
      status: 200,
      description: 'One level',
      schema: FileLevel,
      example: {
        data: { folder: null, folders: [folderExample], files: [linkExample] },
        meta: { total: 1, limit: 50, offset: 0 },
      },
    },
    handle({ address: { project_id: project }, query }, { files, folders }) {
      const folder = query.folder_id === null ? null : sought(folders, project, query.folder_id)
      const path = folder?.path ?? ROOT
      return level(
        {
          folder: folder === null ? null : shapeFolder(folder),
          folders: folders.inside(project.id, folder).map(shapeFolder),
          files: files.page(project, folder, query).map((file) => shapeFile(file, path)),
        },
        folder === null ? project.root_files_count : folder.files_count,
        query,
      )
    },
  }),

  route({
    name: 'createLink',
    tag,
    summary: 'Add a link to something kept elsewhere',
    method: 'POST',
    paths: ['/projects/{project_id}/links'],
    operation: 'files:write',
    right: 'manage_files',
    query: {},
    body: NewLinkBody,
    bodyExample: { name: 'دليل الهوية', url: 'https://www.figma.com/file/abc' },
    reply: createdOne(File, 'The new link', linkExample),
    handle({ address: { project_id: project }, caller, now, body }, { files, folders }) {
      const { name, url, folder_id: folderId = null } = body
      const folder = folderId === null ? null : target(folders, project, folderId)
      const uploaderId = caller.creator.id
      const source = linkSource(url)
      const link = files.link({ project, folder, name, url, source, uploaderId, now })
      return created(shapeFile(link, folder?.path ?? ROOT))
    },
  }),

  route({
    name: 'deleteFile',
    tag,
    summary: 'Delete a file',
    description:
      'For good. Under its project a file is named by its ref or its number, on the flat address by its ref only.',
    method: 'DELETE',
    paths: ['/projects/{project_id}/files/{file_id}', '/files/{file_id}'],
    operation: 'files:destructive',
    right: 'delete_any_file',
    unlessOwn: 'file_id',
    query: {},
    reply: single(DeletedFile, 'What was deleted', {
      deleted: true,
      file: { id: linkExample.id, name: linkExample.name },
    }),
    handle({ address: { file_id: file } }, { files }) {
      files.remove(file)
      return deleted({ file: { id: file.id, name: file.name } })
    },
  }),
]

const ROOT = '/'

function sought(folders: FolderStore, project: ProjectRow, raw: string): FolderRow {
  const id = readNumericId(raw)
  const folder = id === null ? undefined : folders.byId(project.id, id)
  if (folder === undefined) throw notFound()
  return folder
}

function target(folders: FolderStore, project: ProjectRow, id: number): FolderRow {
  const folder = folders.byId(project.id, id)
  if (folder === undefined) throw unprocessable(`folder_id ${id} is no folder of this project`)
  return folder
}
