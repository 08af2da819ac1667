import type { AdminContext } from '../admin/context.ts'
import { findUser } from '../admin/users.ts'
import { linkSource } from '../domain/link-source.ts'
import { mediaTypeOf } from '../domain/media-type.ts'
import type { FileRow } from '../resources/files/store.ts'
import type { FolderRow } from '../resources/folders/store.ts'
import type { ProjectRow } from '../resources/projects/store.ts'
import type { Vault } from '../storage/vault.ts'
import type { Stores } from '../stores.ts'
import type {
  FileSeed,
  FolderSeed,
  LinkSeed,
  SeededFile,
  SeededFolder,
  SeededProject,
} from './sandbox.ts'

export interface SeedPorts {
  vault: Vault
  /** Lets the running server see what was made beside it. */
  refresh(): void
  /** What lies in a calendar in memory. */
  calendarTexts(url: string): string[]
}

/** Makes the folders and files of a project, each write in a transaction of its own. */
export function fileSeeder(
  context: AdminContext,
  { folders, files }: Stores,
  { vault, refresh }: SeedPorts,
  ownerEmail: string,
) {
  const now = context.now

  function write<T>(work: () => T): T {
    const made = context.db.transaction(work).immediate()
    refresh()
    return made
  }

  function person(companyId: number, email: string = ownerEmail): number {
    return findUser(context, companyId, email).id
  }

  function folder(
    project: SeededProject,
    row: ProjectRow,
    parent_folder_id: number | null,
    { name = 'Folder', description = null, by }: FolderSeed = {},
  ): SeededFolder {
    const fields = { name, description, parent_folder_id }
    const creatorId = person(row.company_id, by)
    const made = write(() => folders.create({ ...fields, project: row, creatorId, now: now() }))
    return {
      id: made.id,
      name: made.name,
      path: made.path,
      project,
      folder: (seed) => folder(project, row, made.id, seed),
      link: (seed) => link(row, made, seed),
      file: (seed) => file(row, made, seed),
      remove: () => write(() => folders.remove(made)),
    }
  }

  function link(
    project: ProjectRow,
    folder: FolderRow | null,
    { name = 'Link', url = 'https://majlis.example/', by }: LinkSeed = {},
  ): SeededFile {
    const uploaderId = person(project.company_id, by)
    const fields = { project, folder, name, url, source: linkSource(url), uploaderId, now: now() }
    return seededFile(write(() => files.link(fields)))
  }

  async function file(
    project: ProjectRow,
    folder: FolderRow | null,
    { name = 'File.txt', content = 'Some text.', by }: FileSeed = {},
  ): Promise<SeededFile> {
    const isText = typeof content === 'string'
    const stored = await vault.put(isText ? Buffer.from(content) : content)
    const uploaderId = person(project.company_id, by)
    const mediaType = mediaTypeOf(name, isText)
    const fields = { project, folder, name, mediaType, stored, uploaderId, now: now() }
    return seededFile(write(() => files.upload(fields)))
  }

  function seededFile(row: FileRow): SeededFile {
    return {
      id: row.id,
      ref: row.ref,
      name: row.name,
      remove: () => write(() => files.remove(row)),
    }
  }

  return { folder, link, file }
}
