import type { Db } from '../../db/database.ts'
import { type FolderFields, MOST_LEVELS } from '../../domain/folder.ts'
import type { ProjectRow } from '../projects/store.ts'

export interface FolderRow {
  id: number
  company_id: number
  project_id: number
  parent_id: number | null
  name: string
  /** Its own, from the root: /Design/Logos. */
  path: string
  /** 1 for a folder at the root. */
  level: number
  description: string | null
  /** Of those right in it. */
  files_count: number
  created_at: number
}

export interface NewFolder extends FolderFields {
  project: ProjectRow
  creatorId: number
  now: number
}

/** What goes with a folder when it goes. */
export interface FolderContents {
  files: number
  subfolders: number
  /** How many levels there are below it. */
  height: number
}

interface InsideQuery {
  projectId: number
  parentId: number
  path: string
  level: number
}

export type FolderStore = ReturnType<typeof folderStore>

export function folderStore(db: Db) {
  // Bounded by the depth that folders may have, so that not even a damaged file makes them go round for ever.
  const byId = db.prepare<{ id: number; projectId: number }, FolderRow>(`
    with recursive above (parent_id, path, level) as (
      select parent_id, '/' || name, 1 from folders where id = @id
      union all
      select f.parent_id, '/' || f.name || above.path, above.level + 1
      from above join folders f on f.id = above.parent_id where above.level < ${MOST_LEVELS}
    )
    select
      f.id, f.company_id, f.project_id, f.parent_id, f.name, above.path, above.level, f.description,
      f.files_count, f.created_at
    from folders f join above on above.parent_id is null
    where f.id = @id and f.project_id = @projectId`)
  const inside = db.prepare<InsideQuery, FolderRow>(`
    select
      id, company_id, project_id, parent_id, name, @path || '/' || name as path, @level as level,
      description, files_count, created_at
    from folders
    where project_id = @projectId and coalesce(parent_id, 0) = @parentId
    order by name collate nocase, name`)
  const countFiles = db.prepare<[number, number]>(
    'update folders set files_count = files_count + ? where id = ?',
  )
  const named = db
    .prepare<[number, number | null, string], number>(`
      select id from folders
      where project_id = ? and coalesce(parent_id, 0) = coalesce(?, 0) and name = ?`)
    .pluck()
  const below = `
    with recursive below (id, level) as (
      select @id, 0
      union all
      select f.id, below.level + 1 from below join folders f on f.parent_id = below.id
      where below.level < ${MOST_LEVELS}
    )`
  const contents = db.prepare<{ id: number }, FolderContents>(`
    ${below}
    select
      (select count(*) from below join files on files.folder_id = below.id) as files,
      count(*) - 1 as subfolders, max(level) as height
    from below`)
  const holds = db
    .prepare<{ id: number; other: number }, number>(`${below}
      select 1 from below where id = @other`)
    .pluck()
  const insert = db.prepare(`
    insert into folders
      (company_id, project_id, parent_id, name, description, creator_id, created_at, updated_at)
    values
      (@companyId, @projectId, @parent_folder_id, @name, @description, @creatorId, @now, @now)`)
  const update = db.prepare(`
    update folders set
      parent_id = @parent_folder_id, name = @name, description = @description, updated_at = @now
    where id = @id and company_id = @companyId`)
  const remove = db.prepare<[number, number]>('delete from folders where id = ? and company_id = ?')

  function reread(projectId: number, id: number): FolderRow {
    const row = byId.get({ id, projectId })
    if (row === undefined) throw new Error(`Folder ${id} is gone after its own write`)
    return row
  }

  return {
    byId(projectId: number, id: number): FolderRow | undefined {
      return byId.get({ id, projectId })
    },

    /** The folders right in one, or at the root, by name. */
    inside(projectId: number, folder: FolderRow | null): FolderRow[] {
      const { id: parentId = 0, path = '', level = 0 } = folder ?? {}
      return inside.all({ projectId, parentId, path, level: level + 1 })
    },

    countFiles(folderId: number, by: 1 | -1): void {
      countFiles.run(by, folderId)
    },

    /** The folder that has this name in this parent, if any. */
    idByName(projectId: number, parentId: number | null, name: string): number | undefined {
      return named.get(projectId, parentId, name)
    },

    contents({ id }: FolderRow): FolderContents {
      return contents.get({ id }) as FolderContents
    },

    /** Whether `other` is this folder or lies below it. */
    holds({ id }: FolderRow, other: number): boolean {
      return holds.get({ id, other }) !== undefined
    },

    create({ project, creatorId, now, name, description, parent_folder_id }: NewFolder): FolderRow {
      const { id: projectId, company_id: companyId } = project
      const fields = { name, description, parent_folder_id }
      const made = insert.run({ companyId, projectId, ...fields, creatorId, now })
      return reread(projectId, Number(made.lastInsertRowid))
    },

    update(folder: FolderRow, fields: FolderFields, now: number): FolderRow {
      const { name, description, parent_folder_id } = fields
      const { id, company_id: companyId } = folder
      update.run({ id, companyId, name, description, parent_folder_id, now })
      return reread(folder.project_id, id)
    },

    /** For good, with every folder and file below it. */
    remove(folder: FolderRow): void {
      remove.run(folder.id, folder.company_id)
    },
  }
}
