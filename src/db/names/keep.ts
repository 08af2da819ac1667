import { newestOf, type Reader, readerOf } from '../../domain/name-reader.ts'
import { type NameKind, nameKinds, termsOf } from '../../domain/name-terms.ts'
import type { Db } from '../database.ts'
import { nameSources, rowOf } from './sources.ts'

/**
 * Keeps the index in step with the names, in the transaction of every write. The triggers are temporary, those of this
 * connection: they call a function of this program, which SQLite rightly refuses to triggers that lie in the file.
 */
export function keepNames(db: Db, readers: readonly Reader[]): void {
  db.function('name_terms', { deterministic: true }, (version, companyId, kind, name) =>
    termsOf(
      companyId as number,
      nameKinds[kind as number] as NameKind,
      readerOf(readers, version as number).read(name as string),
    ),
  )
  for (const kind of nameKinds) {
    const { table, column } = nameSources[kind]
    const terms = `name_terms(i.rules, new.company_id, ${nameKinds.indexOf(kind)}, new.${column})`
    const enter = `
      insert or replace into names (rowid, terms)
      select ${rowOf(kind, 'new.id', 'i.generation')}, ${terms}
      from name_indexes i where i.state in ('serving', 'building');`
    db.exec(`
      create temp trigger ${table}_enter_names after insert on main.${table}
      begin ${enter} end;
      create temp trigger ${table}_change_names after update of ${column} on main.${table}
      when new.${column} <> old.${column}
      begin ${enter} end;`)
    if (kind === 'discussion') {
      db.exec(`
        create temp trigger discussions_return_names after update of deleted_at on main.discussions
        when new.deleted_at is null
          and exists (select 1 from projects where id = new.project_id and deleted_at is null)
        begin ${enter} end`)
    }
  }
  beginEmpty(db, newestOf(readers))
}

/** In a database without a project there is no name that the rules have not read. */
function beginEmpty(db: Db, newest: Reader): void {
  const isUnread = db.prepare(`
    select 1 from name_indexes
    where state = 'serving' and rules = 0 and not exists (select 1 from projects)`)
  if (isUnread.get() === undefined) return
  db.prepare(`update name_indexes set rules = ? where state = 'serving' and rules = 0`).run(
    newest.version,
  )
}
