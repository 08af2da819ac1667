import type { Db } from '../database.ts'

const tables = ['projects', 'task_lists', 'tasks', 'folders', 'files', 'discussions']

/** Version 4 had names and no search. The server reads them once it has started, as after any change of the rules. */
export function addNameIndexes(db: Db): void {
  db.exec('create index discussions_of_project on discussions (project_id)')
  db.exec(`create virtual table names using fts5 (
  terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii',
  prefix = '7 8 9 10 11 12 13 14 15'
)`)
  db.exec(`insert into names (names, rank) values ('pgsz', 1024)`)
  db.exec(`create table name_indexes (
  generation integer primary key check (generation in (0, 1)),
  state text not null check (state in ('serving', 'building', 'leaving', 'empty')),
  rules integer not null,
  kind integer not null default 0, -- how far it is being built, or cleared away, and how many names are in it
  through integer not null default 0,
  built integer not null default 0
) strict`)
  db.exec(
    `insert into name_indexes (generation, state, rules) values (0, 'serving', 0), (1, 'empty', 0)`,
  )
  for (const [kind, table] of tables.entries()) {
    db.exec(`create trigger ${table}_leave_names after delete on ${table}
begin
  delete from names where rowid in
    (select old.id * 16 + i.generation * 8 + ${kind} from name_indexes i where i.state <> 'empty');
end`)
  }
  db.exec(`create trigger discussions_hide_names after update of deleted_at on discussions
when new.deleted_at is not null
begin
  delete from names where rowid in
    (select old.id * 16 + i.generation * 8 + 5 from name_indexes i where i.state <> 'empty');
end`)
  db.exec(`create table names_to_clear (
  id integer primary key autoincrement,
  project_id integer not null unique references projects (id) on delete cascade,
  returning_since integer -- seconds: since when a command is putting the names back
) strict`)
  db.exec(`create trigger projects_clear_names after update of deleted_at on projects
when old.deleted_at is null and new.deleted_at is not null
begin
  insert or replace into names_to_clear (project_id) values (new.id);
end`)
  db.exec(`create trigger projects_keep_names after update of deleted_at on projects when new.deleted_at is null
begin
  delete from names_to_clear where project_id = new.id;
end`)
}
