import { readNumericId } from '../../domain/handle.ts'
import { linkSource } from '../../domain/link-source.ts'
import { pdfFault, type Upload } from '../../domain/upload.ts'
import { UPLOAD_CAP } from '../../http/body.ts'
import { conflict, forbidden, notFound, unprocessable } from '../../http/errors.ts'
import { pageQuery } from '../../http/page.ts'
import { attachment, created, deleted, elsewhere, level } from '../../http/reply.ts'
import { PdfBusy, PdfRefusal } from '../../pdf/refusal.ts'
import type { PdfRenderer } from '../../pdf/renderer.ts'
import { createdOne, route, single } from '../context.ts'
import { folderExample, shapeFolder } from '../folders/shape.ts'
import type { FolderRow, FolderStore } from '../folders/store.ts'
import type { ProjectRow } from '../projects/store.ts'
import {
  DeletedFile,
  File,
  FileLevel,
  isDownloadable,
  linkExample,
  NewFileBody,
  NewLinkBody,
  shapeFile,
  uploadExample,
} from './shape.ts'
import type { FileRow } from './store.ts'

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
        data: { folder: null, folders: [folderExample], files: [uploadExample, linkExample] },
        meta: { total: 2, limit: 50, offset: 0 },
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
    name: 'uploadFile',
    tag,
    summary: 'Upload a file',
    description:
      'Exactly one of `content` (UTF-8 text, for names with a plain-text extension or none) and `content_base64` (any bytes). With a name that ends in `.pdf`, `content` is read as markdown, at most 256 KB of it, and set as a PDF. At most 5 MB after decoding. A fresh upload is `pending` and cannot be downloaded until a virus scan has cleared it.',
    method: 'POST',
    paths: ['/projects/{project_id}/files'],
    operation: 'files:write',
    right: 'manage_files',
    leavesWork: true,
    query: {},
    body: NewFileBody,
    bodyCap: UPLOAD_CAP,
    bodyExample: {
      name: 'محضر الاجتماع.md',
      content: '# محضر الاجتماع\n\nاتفقنا على موعد الافتتاح.',
    },
    reply: createdOne(File, 'The new file', uploadExample),
    async prepare({ address: { project_id: project }, body }, { folders }, { vault, pdf }) {
      target(folders, project, body.folder_id)
      const stored = await vault.put(await bytesOf(body.upload, pdf, project.company_id))
      return { value: stored, takeBack: () => vault.remove(stored.name) }
    },
    handle({ address, caller, now, body, prepared: stored }, { files, folders }) {
      const { project_id: project } = address
      const { name, upload } = body
      const folder = target(folders, project, body.folder_id)
      const uploaderId = caller.creator.id
      const { mediaType } = upload
      const file = files.upload({ project, folder, name, mediaType, stored, uploaderId, now })
      return created(shapeFile(file, folder?.path ?? ROOT))
    },
  }),

  route({
    name: 'downloadFile',
    tag,
    summary: 'Download a file',
    description:
      'The bytes of an upload, as an attachment; a link answers 302 and leads to where it points. What is not `downloadable` is refused with 403.',
    method: 'GET',
    paths: ['/projects/{project_id}/files/{file_id}/download'],
    operation: 'files:read',
    query: {},
    reply: {
      status: 200,
      description: 'The bytes, with the type that `content_type` names',
      redirect: 'The file is a link: it lies where `Location` says',
    },
    async prepare({ address: { file_id: file } }, _stores, { vault }) {
      refuseUncleared(file)
      if (file.storage_name === null) return { value: null, takeBack() {} }
      const source = await vault.open(file.storage_name)
      return { value: source, takeBack: () => source.close() }
    },
    handle({ address: { file_id: file }, prepared: source }) {
      refuseUncleared(file)
      if (source === null) return elsewhere(new URL(file.external_url ?? '').href)
      if (source.size !== file.size_bytes) {
        throw new Error(
          `${file.ref} has ${file.size_bytes} bytes, and ${source.size} are on the disk`,
        )
      }
      return attachment(source, file.content_type ?? 'application/octet-stream', file.name)
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
      const { name, url } = body
      const folder = target(folders, project, body.folder_id)
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
    leavesWork: true,
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

async function bytesOf(upload: Upload, pdf: PdfRenderer, companyId: number): Promise<Uint8Array> {
  if ('bytes' in upload) return upload.bytes
  const bytes = await pdf
    .render(upload.markdown, upload.title, companyId)
    .catch((error: unknown) => {
      if (error instanceof PdfRefusal) throw unprocessable(`content ${error.message}`)
      if (error instanceof PdfBusy) throw conflict('Too many PDFs are being set: try again later.')
      throw error
    })
  const fault = pdfFault(bytes.length)
  if (fault !== null) throw unprocessable(`content ${fault}`)
  return bytes
}

/** spec: Upload rules 5. */
function refuseUncleared(file: FileRow): void {
  if (isDownloadable(file)) return
  throw forbidden(
    file.scan_state === 'infected'
      ? 'This file was found to be infected; it is kept in quarantine and cannot be downloaded.'
      : 'This file waits for its virus scan; it can be downloaded once it is clean.',
  )
}

function sought(folders: FolderStore, project: ProjectRow, raw: string): FolderRow {
  const id = readNumericId(raw)
  const folder = id === null ? undefined : folders.byId(project.id, id)
  if (folder === undefined) throw notFound()
  return folder
}

function target(
  folders: FolderStore,
  project: ProjectRow,
  id: number | null | undefined,
): FolderRow | null {
  if (id === null || id === undefined) return null
  const folder = folders.byId(project.id, id)
  if (folder === undefined) throw unprocessable(`folder_id ${id} is no folder of this project`)
  return folder
}
