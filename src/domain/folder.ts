/** What a caller may set of a folder. */
export interface FolderFields {
  name: string
  description: string | null
  parent_folder_id: number | null
}

export const blankFolder: FolderFields = { name: '', description: null, parent_folder_id: null }

/** How deep folders nest: a path is made of all the names above. */
export const MOST_LEVELS = 32
