import type { AdminContext } from '../admin/context.ts'
import { restoreDiscussion } from '../admin/recover.ts'
import { findUser } from '../admin/users.ts'
import { blankDiscussion } from '../domain/discussion.ts'
import { fromHtml, fromPlain, type RichText } from '../domain/rich-text.ts'
import { blankTask } from '../domain/task.ts'
import { blankTaskList } from '../domain/task-list.ts'
import type { Comments } from '../resources/comments/store.ts'
import type { DiscussionRow } from '../resources/discussions/store.ts'
import type { ListRow } from '../resources/lists/store.ts'
import type { ProjectRow } from '../resources/projects/store.ts'
import type { TaskRow } from '../resources/tasks/store.ts'
import type { Stores } from '../stores.ts'
import type {
  DiscussionSeed,
  SeededDiscussion,
  SeededList,
  SeededProject,
  SeededTask,
  TaskListSeed,
  TaskSeed,
  TextSeed,
} from './sandbox.ts'

/** Makes the lists, tasks and discussions of a project, each write in a transaction of its own. */
export function workSeeder(context: AdminContext, stores: Stores, ownerEmail: string) {
  const { lists, tasks, comments, discussions, members } = stores
  const now = context.now

  function write<T>(work: () => T): T {
    return context.db.transaction(work).immediate()
  }

  function person(companyId: number, email: string = ownerEmail): number {
    return findUser(context, companyId, email).id
  }

  function commenter(on: Comments, subject: { id: number; company_id: number }) {
    return (content: TextSeed, by?: string): number => {
      const authorId = person(subject.company_id, by)
      const comment = { content: rich(content), authorId, now: now() }
      return write(() => on.add(subject, comment).id)
    }
  }

  function list(project: SeededProject, row: ProjectRow, seed: TaskListSeed = {}): SeededList {
    const { notes, priority } = { ...blankTaskList, ...seed }
    const made = {
      title: seed.title ?? 'List',
      notes: richOrNone(notes),
      priority,
      project: row,
      creatorId: person(row.company_id, seed.by),
      now: now(),
    }
    return seededList(
      project,
      write(() => lists.create(made)),
    )
  }

  function seededList(project: SeededProject, row: ListRow): SeededList {
    const fresh = (): ListRow => found(lists.byRef(row.company_id, row.ref), row.ref)
    const list: SeededList = {
      id: row.ref,
      slug: row.slug,
      title: row.title,
      project,
      task: (seed) => task(list, fresh(), seed),
      comment: commenter(comments.onList, row),
      rename(title) {
        const { notes, priority } = fresh()
        const fields = { title, notes: richOrNone(notes), priority }
        return seededList(
          project,
          write(() => lists.update(fresh(), fields, now())),
        )
      },
      remove: () => write(() => lists.remove(fresh())),
    }
    return list
  }

  function task(list: SeededList, row: ListRow, seed: TaskSeed = {}): SeededTask {
    const { notes, due_at, assignee_email } = { ...blankTask, ...seed }
    const made = {
      title: seed.title ?? 'Task',
      notes: richOrNone(notes),
      due_at,
      assigneeId:
        assignee_email === null
          ? null
          : found(members.assignableByEmail(row.project_id, assignee_email), assignee_email).id,
      list: row,
      creatorId: person(row.company_id, seed.by),
      now: now(),
    }
    return seededTask(
      list,
      write(() => tasks.create(made)),
    )
  }

  function seededTask(list: SeededList, row: TaskRow): SeededTask {
    const fresh = (): TaskRow => found(tasks.byRef(row.company_id, row.ref), row.ref)
    const again = (work: () => TaskRow, where = list): SeededTask => seededTask(where, write(work))
    return {
      id: row.ref,
      slug: row.slug,
      title: row.title,
      list,
      comment: commenter(comments.onTask, row),
      rename(title) {
        const { notes, due_at, assignee_id: assigneeId } = fresh()
        const fields = { title, notes: richOrNone(notes), due_at, assigneeId }
        return again(() => tasks.update(fresh(), fields, now()))
      },
      complete: () => again(() => tasks.complete(fresh(), now())),
      reopen: () => again(() => tasks.reopen(fresh(), now())),
      moveTo(to, position) {
        const target = found(lists.byRef(row.company_id, to.id), to.id)
        return again(() => tasks.move(fresh(), target, position ?? null, now()), to)
      },
      recordTime: (minutes) => again(() => tasks.recordTime(fresh(), minutes, now())),
      remove: () => write(() => tasks.remove(fresh())),
    }
  }

  function discussion(
    project: SeededProject,
    row: ProjectRow,
    seed: DiscussionSeed = {},
  ): SeededDiscussion {
    const { body } = { ...blankDiscussion, ...seed }
    const made = {
      title: seed.title ?? 'Discussion',
      body: richOrNone(body),
      category: seed.category ?? null,
      project: row,
      authorId: person(row.company_id, seed.by),
      now: now(),
    }
    return seededDiscussion(
      project,
      write(() => discussions.publish(made)),
    )
  }

  function seededDiscussion(project: SeededProject, row: DiscussionRow): SeededDiscussion {
    const fresh = (): DiscussionRow => found(discussions.byRef(row.company_id, row.ref), row.ref)
    return {
      id: row.ref,
      slug: row.slug,
      title: row.title,
      project,
      reply: commenter(comments.onDiscussion, row),
      rename(title) {
        const fields = { title, body: richOrNone(fresh().body) }
        return seededDiscussion(
          project,
          write(() => discussions.update(fresh(), fields, now())),
        )
      },
      remove: () => write(() => discussions.remove(fresh(), now())),
      restore() {
        restoreDiscussion(context, row.ref)
      },
    }
  }

  return { list, discussion }
}

function rich(text: TextSeed): RichText {
  return typeof text === 'string' ? fromPlain(text) : fromHtml(text.html)
}

function richOrNone(text: TextSeed | null): RichText | null {
  return text === null ? null : rich(text)
}

function found<T>(record: T | undefined, handle: string): T {
  if (record === undefined) throw new Error(`There is no ${handle}, or not any more`)
  return record
}
