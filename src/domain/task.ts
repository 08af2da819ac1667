/** What a caller may set of a task. */
export interface TaskFields {
  title: string
  notes: string | null
  due_at: string | null
  assignee_email: string | null
}

export const blankTask: TaskFields = { title: '', notes: null, due_at: null, assignee_email: null }
