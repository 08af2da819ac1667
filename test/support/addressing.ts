import type { SeededDiscussion, SeededList, SeededTask } from '../../src/index.ts'

/** The addresses that one record has (spec: Identifiers 6, 7): what is true at one is true at all of them. */
export interface Addressing {
  name: string
  list(list: SeededList): string
  task(task: SeededTask): string
  discussion(discussion: SeededDiscussion): string
}

const code = encodeURIComponent

export const addressings: readonly Addressing[] = [
  nested('nested, by refs', (record) => record.id),
  nested('nested, by slugs', (record) => code(record.slug)),
  {
    name: 'flat',
    list: ({ id }) => `/lists/${id}`,
    task: ({ id }) => `/tasks/${id}`,
    discussion: ({ id }) => `/discussions/${id}`,
  },
]

function nested(
  name: string,
  handle: (record: { id: string; slug: string }) => string,
): Addressing {
  const list = (each: SeededList) => `/projects/${handle(each.project)}/lists/${handle(each)}`
  return {
    name,
    list,
    task: (task) => `${list(task.list)}/tasks/${handle(task)}`,
    discussion: (each) => `/projects/${handle(each.project)}/discussions/${handle(each)}`,
  }
}
