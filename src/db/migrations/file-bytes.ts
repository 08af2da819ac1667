import type { Db } from '../database.ts'

/** Version 2 could keep links but no uploads, so no bytes are there to be found again. */
export function addFileBytes(db: Db): void {
  db.exec(`create index files_infected on files (storage_name) where scan_state = 'infected'`)
  db.exec(`create table discarded_bytes (
  storage_name text not null primary key
) strict, without rowid`)
  db.exec(`create trigger files_leave_bytes after delete on files when old.storage_name is not null
begin
  insert into discarded_bytes (storage_name) values (old.storage_name);
end`)
  db.exec(`create table server_settings (
  name text not null primary key,
  value text not null
) strict, without rowid`)
}
