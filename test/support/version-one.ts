import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** A database as version 1 of the schema left it, with a company and a project of this name in it. */
export function versionOne(folder: string, project = 'Plan'): string {
  const file = join(folder, 'majlis.db')
  const db = new Database(file)
  db.pragma('journal_mode = wal')
  db.exec(readFileSync(new URL('../fixtures/schema-1.sql', import.meta.url), 'utf8'))
  db.pragma(`application_id = ${0x4d4a4c53}`)
  db.pragma('user_version = 1')
  db.exec(`
    insert into companies
      (id, name, time_zone, plan, rest_api, projects_count, created_at, updated_at)
      values (1, 'Acme', 'UTC', 'advanced', 1, 1, 0, 0);
    insert into users (id, company_id, name, email, email_key, role, created_at)
      values (1, 1, 'Sara', 'sara@x.example', 'sara@x.example', 'owner', 0);
    insert into projects (id, company_id, ref, slug, name, creator_id, created_at, updated_at)
      values (1, 1, 'prj-0123456789', 'plan', '${project}', 1, 0, 0);
    insert into project_slugs (company_id, slug, project_id) values (1, 'plan', 1)`)
  db.close()
  return file
}
