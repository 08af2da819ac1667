/** What a caller may set of a discussion. */
export interface DiscussionFields {
  title: string
  body: string | null
}

export const blankDiscussion: DiscussionFields = { title: '', body: null }
