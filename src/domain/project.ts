/** What a caller may set of a project. */
export interface ProjectFields {
  name: string
  description: string
  is_public: boolean
  start_date: string | null
  end_date: string | null
}

export const blankProject: ProjectFields = {
  name: '',
  description: '',
  is_public: false,
  start_date: null,
  end_date: null,
}
