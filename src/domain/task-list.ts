export const priorities = ['low', 'medium', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]

/** What a caller may set of a task list. */
export interface TaskListFields {
  title: string
  notes: string | null
  priority: Priority | null
}

export const blankTaskList: TaskListFields = { title: '', notes: null, priority: null }
