import type { Db } from '../../db/database.ts'
import { notifications } from '../../db/notifications.ts'
import { slugs } from '../../db/slugs.ts'
import { timeline } from '../../db/timeline.ts'
import { mintRef, type RandomBelow } from '../../domain/handle.ts'
import type { RichText } from '../../domain/rich-text.ts'
import type { Page } from '../../http/page.ts'
import type { MemberStore } from '../members/store.ts'
import type { ProjectRow, ProjectStore } from '../projects/store.ts'

export interface DiscussionRow {
  id: number
  company_id: number
  project_id: number
  project_archived_at: number | null
  ref: string
  slug: string
  title: string
  body: string | null
  category: string | null
  author: string
  replies_count: number
  created_at: number
}

/** As administration sees it. */
export interface DeletableDiscussion extends DiscussionRow {
  deleted_at: number | null
  project_ref: string
  project_deleted_at: number | null
}

export interface DiscussionInput {
  title: string
  body: RichText | null
}

export interface NewDiscussion extends DiscussionInput {
  project: ProjectRow
  category: string | null
  authorId: number
  now: number
}

export interface Told {
  title: string
  body: string | null
  author: string
  project: string
}

interface Neighbours {
  projects: Pick<ProjectStore, 'countDiscussions'>
  members: Pick<MemberStore, 'assignable'>
}

export function discussionStore(
  db: Db,
  randomBelow: RandomBelow,
  { projects, members }: Neighbours,
) {
  const names = slugs(db, 'discussion')
  const outbox = notifications(db)
  const entries = timeline(db)
  const columns = `
    d.id, d.company_id, d.project_id, p.archived_at as project_archived_at, d.ref, d.slug, d.title,
    d.body, d.category, u.name as author, d.replies_count, d.created_at`
  const joined = `
    join projects p on p.id = d.project_id
    join users u on u.id = d.author_id`
  const byRef = db.prepare<[string, number], DiscussionRow>(`
    select ${columns} from discussions d ${joined}
    where d.ref = ? and d.company_id = ? and d.deleted_at is null and p.deleted_at is null`)
  const bySlug = db.prepare<[number, string], DiscussionRow>(`
    select ${columns} from discussion_slugs s
    join discussions d on d.id = s.discussion_id ${joined}
    where s.project_id = ? and s.slug = ? and d.deleted_at is null`)
  const page = db.prepare<[number, number, number], DiscussionRow>(`
    select ${columns} from discussions d ${joined}
    where d.id in
      (select id from discussions where project_id = ? and deleted_at is null
       order by id desc limit ? offset ?)
    order by d.id desc`)
  const evenDeleted = db.prepare<[string], DeletableDiscussion>(`
    select ${columns}, d.deleted_at, p.ref as project_ref, p.deleted_at as project_deleted_at
    from discussions d ${joined} where d.ref = ?`)
  const told = db.prepare<[string, number], Told>(`
    select d.title, d.body, u.name as author, p.name as project
    from discussions d ${joined}
    where d.ref = ? and d.company_id = ? and d.deleted_at is null and p.deleted_at is null`)
  const insert = db.prepare(`
    insert into discussions
      (company_id, project_id, ref, slug, title, body_html, body, category, author_id, created_at,
       updated_at)
    values
      (@companyId, @projectId, @ref, @slug, @title, @bodyHtml, @body, @category, @authorId, @now,
       @now)`)
  // Text that comes back as it was answered keeps its formatting.
  const update = db.prepare(`
    update discussions set
      slug = @slug, title = @title, body = @body,
      body_html = case when body is @body then body_html else @bodyHtml end, updated_at = @now
    where id = @id and company_id = @companyId`)
  const setDeleted = db.prepare<[number | null, number, number]>(`
    update discussions set deleted_at = ? where id = ? and company_id = ?`)
  const subscribe = db.prepare<{ id: number; now: number; people: string }>(`
    insert into discussion_subscribers (discussion_id, user_id, created_at)
    select @id, value, @now from json_each(@people)`)

  function reread({ company_id, ref }: { company_id: number; ref: string }): DiscussionRow {
    const row = byRef.get(ref, company_id)
    if (row === undefined) throw new Error(`Discussion ${ref} is gone after its own write`)
    return row
  }

  /** spec: Side effects of writes. The audience is the project's members less the author. */
  function announce(discussion: DiscussionRow, { project, authorId, now }: NewDiscussion): void {
    const { id, ref, company_id: companyId, title } = discussion
    const kind = 'discussion.created'
    const audience = members
      .assignable(project)
      .map((person) => person.id)
      .filter((personId) => personId !== authorId)
    subscribe.run({ id, now, people: JSON.stringify(audience) })
    outbox.promise({ companyId, at: now, kind, subjectRef: ref }, audience)
    const projectId = project.id
    entries.record({ companyId, projectId, at: now, kind, ref, actorId: authorId, title })
  }

  return {
    byRef(companyId: number, ref: string): DiscussionRow | undefined {
      return byRef.get(ref, companyId)
    },

    /** What its audience is told of it. */
    told: (companyId: number, ref: string): Told | undefined => told.get(ref, companyId),

    bySlug(projectId: number, slug: string): DiscussionRow | undefined {
      return bySlug.get(projectId, slug)
    },

    page(project: ProjectRow, { limit, offset }: Page): DiscussionRow[] {
      return page.all(project.id, limit, offset)
    },

    publish(discussion: NewDiscussion): DiscussionRow {
      const { project, category, authorId, now, title, body } = discussion
      const { id: projectId, company_id: companyId } = project
      const ref = mintRef('discussion', randomBelow)
      const slug = names.fresh(projectId, title)
      const texts = { title, body: body?.plain ?? null, bodyHtml: body?.html ?? null }
      const row = { companyId, projectId, ref, slug, ...texts, category, authorId, now }
      names.take(projectId, slug, Number(insert.run(row).lastInsertRowid))
      projects.countDiscussions(projectId, 1)
      const published = reread({ company_id: companyId, ref })
      announce(published, discussion)
      return published
    },

    update(discussion: DiscussionRow, { title, body }: DiscussionInput, now: number) {
      const { id, company_id: companyId, project_id: projectId } = discussion
      const slug =
        title === discussion.title ? discussion.slug : names.renamed(projectId, title, id)
      const texts = { title, body: body?.plain ?? null, bodyHtml: body?.html ?? null }
      update.run({ id, companyId, slug, ...texts, now })
      names.take(projectId, slug, id)
      return reread(discussion)
    },

    /** Soft: an administrator can restore it. Its slug stays taken. */
    remove(discussion: DiscussionRow, now: number): void {
      setDeleted.run(now, discussion.id, discussion.company_id)
      projects.countDiscussions(discussion.project_id, -1)
    },

    /** For administration, which knows no company and sees what is deleted. */
    evenDeleted(ref: string) {
      return evenDeleted.get(ref)
    },

    restore(discussion: DiscussionRow): void {
      setDeleted.run(null, discussion.id, discussion.company_id)
      projects.countDiscussions(discussion.project_id, 1)
    },
  }
}
