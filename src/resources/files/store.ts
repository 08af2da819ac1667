import type { Db } from '../../db/database.ts'
import type { JobQueue } from '../../db/jobs.ts'
import { mintRef, type RandomBelow } from '../../domain/handle.ts'
import type { Page } from '../../http/page.ts'
import type { StoredBytes } from '../../storage/vault.ts'
import type { FolderRow, FolderStore } from '../folders/store.ts'
import type { ProjectRow, ProjectStore } from '../projects/store.ts'

export type ScanState = 'pending' | 'clean' | 'infected' | 'skipped'

export interface FileRow {
  id: number
  company_id: number
  project_id: number
  project_archived_at: number | null
  folder_id: number | null
  ref: string
  name: string
  content_type: string | null
  size_bytes: number | null
  storage_name: string | null
  external_url: string | null
  source: string | null
  scan_state: ScanState
  creator_id: number
  uploaded_by: string
  created_at: number
}

interface NewFile {
  project: ProjectRow
  folder: FolderRow | null
  name: string
  uploaderId: number
  now: number
}

export interface NewLink extends NewFile {
  url: string
  source: string
}

export interface NewUpload extends NewFile {
  mediaType: string
  stored: StoredBytes
}

interface Neighbours {
  projects: Pick<ProjectStore, 'countRootFiles'>
  folders: Pick<FolderStore, 'countFiles'>
  scans: Pick<JobQueue, 'add'>
}

export function fileStore(db: Db, randomBelow: RandomBelow, neighbours: Neighbours) {
  const { projects, folders, scans } = neighbours
  const select = `
    select
      f.id, f.company_id, f.project_id, p.archived_at as project_archived_at, f.folder_id, f.ref,
      f.name, f.content_type, f.size_bytes, f.storage_name, f.external_url, f.source, f.scan_state,
      f.uploader_id as creator_id, u.name as uploaded_by, f.created_at
    from files f
    join projects p on p.id = f.project_id
    join users u on u.id = f.uploader_id`
  const byRef = db.prepare<[string, number], FileRow>(`
    ${select} where f.ref = ? and f.company_id = ? and p.deleted_at is null`)
  const byId = db.prepare<[number, number], FileRow>(`
    ${select} where f.id = ? and f.project_id = ?`)
  const page = db.prepare<[number, number, number, number], FileRow>(`
    ${select} where f.id in
      (select id from files where project_id = ? and coalesce(folder_id, 0) = ?
       order by id desc limit ? offset ?)
    order by f.id desc`)
  const insert = db.prepare(`
    insert into files
      (company_id, project_id, folder_id, ref, name, content_type, size_bytes, sha256, storage_name,
       external_url, source, scan_state, uploader_id, created_at)
    values
      (@companyId, @projectId, @folderId, @ref, @name, @mediaType, @size, @sha256, @storageName,
       @url, @source, @scanState, @uploaderId, @now)`)
  const remove = db.prepare<[number, number]>('delete from files where id = ? and company_id = ?')

  function create({ project, folder, name, uploaderId, now }: NewFile, kind: Kind): FileRow {
    const { id: projectId, company_id: companyId } = project
    const ref = mintRef('file', randomBelow)
    const folderId = folder?.id ?? null
    insert.run({ companyId, projectId, folderId, ref, name, uploaderId, now, ...kind })
    count(projectId, folderId, 1)
    const row = byRef.get(ref, companyId)
    if (row === undefined) throw new Error(`File ${ref} is gone after its own write`)
    return row
  }

  function count(projectId: number, folderId: number | null, by: 1 | -1): void {
    if (folderId === null) projects.countRootFiles(projectId, by)
    else folders.countFiles(folderId, by)
  }

  return {
    byRef(companyId: number, ref: string): FileRow | undefined {
      return byRef.get(ref, companyId)
    },

    byId(projectId: number, id: number): FileRow | undefined {
      return byId.get(id, projectId)
    },

    /** One level of the file browser, newest first; no folder is the root. */
    page(project: ProjectRow, folder: FolderRow | null, { limit, offset }: Page): FileRow[] {
      return page.all(project.id, folder?.id ?? 0, limit, offset)
    },

    link(link: NewLink): FileRow {
      const { url, source } = link
      return create(link, { ...linkKind, url, source })
    },

    /** Pending until it is scanned: the row and the promise to scan it are written together. */
    upload(upload: NewUpload): FileRow {
      const { mediaType, stored, now } = upload
      const { name: storageName, size, sha256 } = stored
      const row = create(upload, { ...uploadKind, mediaType, storageName, size, sha256 })
      scans.add(row.company_id, String(row.id), now)
      return row
    },

    remove(file: FileRow): void {
      remove.run(file.id, file.company_id)
      count(file.project_id, file.folder_id, -1)
    },
  }
}

/** What tells an upload from a link. */
interface Kind {
  mediaType: string | null
  size: number | null
  sha256: string | null
  storageName: string | null
  url: string | null
  source: string | null
  scanState: ScanState
}

const linkKind: Kind = {
  mediaType: null,
  size: null,
  sha256: null,
  storageName: null,
  url: null,
  source: null,
  scanState: 'skipped',
}

const uploadKind: Kind = { ...linkKind, scanState: 'pending' }
