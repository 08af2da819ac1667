import type { Db } from '../../db/database.ts'
import { emailKey } from '../../domain/email.ts'
import type { ProjectRow } from '../projects/store.ts'

export interface MemberRow {
  id: number
  name: string
  email: string
  role: 'owner' | 'manager' | 'member'
}

export type MemberStore = ReturnType<typeof memberStore>

export function memberStore(db: Db) {
  const ofProject = db.prepare<[number], MemberRow>(`
    select u.id, u.name, u.email, u.role
    from project_members m
    join users u on u.id = m.user_id
    where m.project_id = ? and u.deactivated_at is null
    order by u.name collate nocase, u.id`)
  const ofCompany = db.prepare<[number], MemberRow>(`
    select id, name, email, role from users
    where company_id = ? and deactivated_at is null
    order by name collate nocase, id`)
  const byEmail = db.prepare<{ projectId: number; key: string }, MemberRow>(`
    select u.id, u.name, u.email, u.role
    from projects p
    join users u on u.company_id = p.company_id and u.email_key = @key
    where p.id = @projectId and u.deactivated_at is null and (p.is_public = 1 or exists
      (select 1 from project_members m where m.project_id = p.id and m.user_id = u.id))`)

  const active = db.prepare<[number, string], MemberRow>(`
    select id, name, email, role from users
    where company_id = ? and email_key = ? and deactivated_at is null`)

  return {
    /** An active person of the company. */
    activeByEmail(companyId: number, email: string): MemberRow | undefined {
      return active.get(companyId, emailKey(email))
    },

    /** The people that tasks of this project can be assigned to, by name. */
    assignable(project: ProjectRow): MemberRow[] {
      return project.is_public === 1 ? ofCompany.all(project.company_id) : ofProject.all(project.id)
    },

    /** One of those people. */
    assignableByEmail(projectId: number, email: string): MemberRow | undefined {
      return byEmail.get({ projectId, key: emailKey(email) })
    },
  }
}
