-- The whole schema of Majlis. A fresh database is exactly this; an older one is brought here by src/db/migrations.
--
-- Habits: STRICT tables. Instants are UTC milliseconds, calendar days are 'YYYY-MM-DD' text, booleans are 0 or 1.
-- Every record of a company carries company_id, and a statement that finds one by what a caller sent asks for it, or
-- for a parent that was found so. Counters are kept in the transaction that changes what they count; `majlis check`
-- counts again.

create table companies (
  id integer primary key autoincrement,
  name text not null,
  time_zone text not null,
  plan text not null check (plan in ('free', 'pro', 'advanced', 'productive', 'enterprise')),
  rest_api integer not null default 0 check (rest_api in (0, 1)),
  daily_limit integer check (daily_limit >= 0),
  read_only integer not null default 0 check (read_only in (0, 1)),
  language text not null default 'ar' check (language in ('ar', 'en')),
  is_demo integer not null default 0 check (is_demo in (0, 1)),
  projects_count integer not null default 0,
  archived_projects_count integer not null default 0,
  created_at integer not null,
  updated_at integer not null
) strict;

create table users (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  name text not null,
  email text not null,
  email_key text not null, -- lower case: addresses compare case-insensitively
  role text not null check (role in ('owner', 'manager', 'member')),
  password_digest text,
  deactivated_at integer,
  created_at integer not null,
  unique (company_id, email_key)
) strict;

create index users_by_name on users (company_id, name collate nocase, id) where deactivated_at is null;

-- Keys of the REST API. The text of a key is never here: a secret is found by its lookup id and proved by its digest.
-- A rotated key has two secrets while the old one's grace lasts.
create table api_keys (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  creator_id integer not null references users (id),
  name text not null,
  scope text not null check (scope in ('read', 'write')),
  operations text not null check (json_valid(operations)),
  rights text not null check (json_valid(rights)),
  created_at integer not null,
  last_used_at integer,
  expires_at integer,
  revoked_at integer
) strict;

create index api_keys_by_company on api_keys (company_id, id);

create table api_key_secrets (
  id integer primary key autoincrement,
  key_id integer not null references api_keys (id),
  lookup_id text not null unique,
  last_four text not null,
  digest text not null,
  created_at integer not null,
  expires_at integer
) strict;

create index api_key_secrets_by_key on api_key_secrets (key_id, id);

-- Personal access tokens of the administration surface: another store, so that no text is good on both surfaces.
create table personal_tokens (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  name text not null,
  lookup_id text not null unique,
  last_four text not null,
  digest text not null,
  created_at integer not null,
  last_used_at integer,
  expires_at integer,
  revoked_at integer
) strict;

create index personal_tokens_by_user on personal_tokens (user_id, id);

create table quota_usage (
  company_id integer not null references companies (id),
  day text not null,
  used integer not null,
  primary key (company_id, day)
) strict, without rowid;

create table audit_entries (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  at integer not null,
  outcome text not null check (outcome in ('allowed', 'denied')),
  operation text not null,
  method text not null,
  path text not null,
  status integer,
  ip text,
  key_id integer references api_keys (id),
  actor_id integer references users (id), -- who was signed in, where no key was used
  request_id text
) strict;

create index audit_entries_by_company on audit_entries (company_id, id);
create index audit_entries_denied on audit_entries (company_id, id) where outcome = 'denied';

create table projects (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  ref text not null unique,
  slug text not null,
  name text not null,
  description text not null default '',
  is_public integer not null default 0 check (is_public in (0, 1)),
  start_date text,
  end_date text,
  creator_id integer not null references users (id),
  task_lists_count integer not null default 0,
  tasks_count integer not null default 0,
  discussions_count integer not null default 0,
  root_files_count integer not null default 0,
  archived_at integer,
  deleted_at integer,
  created_at integer not null,
  updated_at integer not null
) strict;

create index projects_live on projects (company_id, id) where deleted_at is null;
create index projects_open on projects (company_id, id) where deleted_at is null and archived_at is null;

-- One table a kind of slug: live and retired ones together, so that a slug is taken once within its parent.
create table project_slugs (
  company_id integer not null references companies (id),
  slug text not null,
  project_id integer not null references projects (id) on delete cascade,
  primary key (company_id, slug)
) strict, without rowid;

create index project_slugs_by_project on project_slugs (project_id);

create table project_members (
  project_id integer not null references projects (id) on delete cascade,
  user_id integer not null references users (id),
  created_at integer not null,
  primary key (project_id, user_id)
) strict, without rowid;

create index project_members_by_user on project_members (user_id);

-- Rich text is kept twice: sanitised HTML, and the plain rendering that the API answers.
create table task_lists (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  project_id integer not null references projects (id) on delete cascade,
  ref text not null unique,
  slug text not null,
  title text not null,
  notes_html text,
  notes text,
  priority text check (priority in ('low', 'medium', 'high', 'urgent')),
  creator_id integer not null references users (id),
  tasks_count integer not null default 0,
  completed_tasks_count integer not null default 0,
  comments_count integer not null default 0,
  created_at integer not null,
  updated_at integer not null
) strict;

create index task_lists_by_project on task_lists (project_id, id);

create table task_list_slugs (
  project_id integer not null references projects (id) on delete cascade,
  slug text not null,
  list_id integer not null references task_lists (id) on delete cascade,
  primary key (project_id, slug)
) strict, without rowid;

create index task_list_slugs_by_list on task_list_slugs (list_id);

create table tasks (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  list_id integer not null references task_lists (id) on delete cascade,
  ref text not null unique,
  slug text not null,
  title text not null,
  notes_html text,
  notes text,
  position integer not null,
  due_at text,
  assignee_id integer references users (id),
  time_spent_minutes integer check (time_spent_minutes >= 0),
  creator_id integer not null references users (id),
  comments_count integer not null default 0,
  completed_at integer,
  created_at integer not null,
  updated_at integer not null
) strict;

create index tasks_by_position on tasks (list_id, position, id);

-- How many tasks of a list stand in each stretch of positions, from first_position to the next block's: what is at
-- place 90,000 is found by adding up blocks, not by walking over tasks.
create table task_blocks (
  list_id integer not null references task_lists (id) on delete cascade,
  first_position integer not null,
  tasks_count integer not null check (tasks_count >= 0),
  primary key (list_id, first_position)
) strict, without rowid;

create index tasks_by_completion on tasks (list_id, completed_at) where completed_at is not null;
create index tasks_by_assignee on tasks (assignee_id) where assignee_id is not null;

create table task_slugs (
  list_id integer not null references task_lists (id) on delete cascade,
  slug text not null,
  task_id integer not null references tasks (id) on delete cascade,
  primary key (list_id, slug)
) strict, without rowid;

create index task_slugs_by_task on task_slugs (task_id);

create table discussions (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  project_id integer not null references projects (id) on delete cascade,
  ref text not null unique,
  slug text not null,
  title text not null,
  body_html text,
  body text,
  category text,
  author_id integer not null references users (id),
  replies_count integer not null default 0,
  deleted_at integer,
  created_at integer not null,
  updated_at integer not null
) strict;

create index discussions_live on discussions (project_id, id) where deleted_at is null;
-- SQLite asks for the children of a new row where a trigger follows the insert.
create index discussions_of_project on discussions (project_id);

create table discussion_slugs (
  project_id integer not null references projects (id) on delete cascade,
  slug text not null,
  discussion_id integer not null references discussions (id) on delete cascade,
  primary key (project_id, slug)
) strict, without rowid;

create index discussion_slugs_by_discussion on discussion_slugs (discussion_id);

create table discussion_subscribers (
  discussion_id integer not null references discussions (id) on delete cascade,
  user_id integer not null references users (id),
  created_at integer not null,
  primary key (discussion_id, user_id)
) strict, without rowid;

-- A comment on a task list, a comment on a task, or a reply in a discussion.
create table comments (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  list_id integer references task_lists (id) on delete cascade,
  task_id integer references tasks (id) on delete cascade,
  discussion_id integer references discussions (id) on delete cascade,
  content_html text,
  content text,
  attachments text not null default '[]' check (json_valid(attachments)),
  author_id integer not null references users (id),
  created_at integer not null,
  updated_at integer not null,
  check ((list_id is not null) + (task_id is not null) + (discussion_id is not null) = 1)
) strict;

create index comments_by_list on comments (list_id, id) where list_id is not null;
create index comments_by_task on comments (task_id, id) where task_id is not null;
create index comments_by_discussion on comments (discussion_id, id) where discussion_id is not null;

create table folders (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  project_id integer not null references projects (id) on delete cascade,
  parent_id integer references folders (id) on delete cascade,
  name text not null,
  description text,
  creator_id integer not null references users (id),
  files_count integer not null default 0,
  created_at integer not null,
  updated_at integer not null
) strict;

create unique index folders_by_name on folders (project_id, coalesce(parent_id, 0), name);
create index folders_by_parent on folders (parent_id) where parent_id is not null;

-- An upload has bytes (storage_name, under the data folder) and a scan; an external link has a URL and neither.
create table files (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  project_id integer not null references projects (id) on delete cascade,
  folder_id integer references folders (id) on delete cascade,
  ref text not null unique,
  name text not null,
  content_type text,
  size_bytes integer,
  sha256 text,
  storage_name text unique,
  external_url text,
  source text,
  scan_state text not null check (scan_state in ('pending', 'clean', 'infected', 'skipped')),
  uploader_id integer not null references users (id),
  created_at integer not null,
  check ((storage_name is null) <> (external_url is null))
) strict;

create index files_by_folder on files (project_id, coalesce(folder_id, 0), id);
create index files_of_folder on files (folder_id) where folder_id is not null;
create index files_to_scan on files (id) where scan_state = 'pending';
create index files_infected on files (storage_name) where scan_state = 'infected';

-- The bytes that deleted files leave behind, until a worker has removed them from the disk.
create table discarded_bytes (
  storage_name text not null primary key
) strict, without rowid;

create trigger files_leave_bytes after delete on files when old.storage_name is not null
begin
  insert into discarded_bytes (storage_name) values (old.storage_name);
end;

create table events (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  organizer_id integer not null references users (id),
  name text not null,
  description text,
  starts_at integer not null,
  ends_at integer not null,
  all_day integer not null default 0 check (all_day in (0, 1)),
  meeting_url text,
  ical_uid text not null unique,
  ical_sequence integer not null default 0,
  created_at integer not null,
  updated_at integer not null,
  check (ends_at >= starts_at)
) strict;

-- Who may see an event, in the order of a person's calendar: starts_at is the event's, repeated for the index.
create table event_people (
  user_id integer not null references users (id),
  starts_at integer not null,
  event_id integer not null references events (id) on delete cascade,
  is_organizer integer not null check (is_organizer in (0, 1)),
  is_attendee integer not null check (is_attendee in (0, 1)),
  primary key (user_id, starts_at, event_id)
) strict, without rowid;

create index event_people_by_event on event_people (event_id, user_id);

-- How many events stand in a person's calendar in each 64 days, on each day and in each quarter of an hour (UTC): a long
-- calendar is counted without being walked through.
create table event_counts (
  user_id integer not null references users (id),
  span text not null check (span in ('season', 'day', 'quarter')),
  bucket integer not null,
  events_count integer not null check (events_count >= 0),
  primary key (user_id, span, bucket)
) strict, without rowid;

create table timeline_entries (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  project_id integer not null references projects (id) on delete cascade,
  at integer not null,
  kind text not null,
  ref text not null,
  actor_id integer not null references users (id),
  title text not null
) strict;

create index timeline_entries_by_company on timeline_entries (company_id, id);
create index timeline_entries_by_project on timeline_entries (project_id, id);

-- One row a person told. The row is the promise; a worker delivers it.
create table notifications (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  recipient_id integer not null references users (id),
  at integer not null,
  kind text not null,
  subject_ref text not null,
  payload text not null default '{}' check (json_valid(payload)),
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  attempts integer not null default 0,
  next_attempt_at integer not null,
  claimed_at integer,
  sent_at integer,
  last_error text
) strict;

create index notifications_by_company on notifications (company_id, id);
create index notifications_due on notifications (next_attempt_at, id) where state = 'pending';
create index notifications_waiting on notifications (recipient_id, subject_ref, id) where state = 'pending';

-- Work that must wait (virus scans, calendar writes), as rows with states: nothing promised lives in memory only.
create table jobs (
  id integer primary key autoincrement,
  company_id integer references companies (id), -- null for the work of the whole server
  kind text not null,
  subject text not null,
  payload text not null default '{}' check (json_valid(payload)),
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  attempts integer not null default 0,
  run_at integer not null,
  claimed_at integer,
  last_error text,
  created_at integer not null
) strict;

create index jobs_due on jobs (kind, run_at, id) where state = 'pending';
create index jobs_by_subject on jobs (kind, subject);

-- Connected external calendars: one for the company (user_id null) and one a person. The password is encrypted with
-- a key that lies beside the database, never inside it.
create table calendar_connections (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  user_id integer references users (id),
  url text not null,
  username text not null,
  sealed_password blob not null,
  last_error text,
  created_at integer not null
) strict;

create unique index calendar_connections_by_owner on calendar_connections (company_id, coalesce(user_id, 0));

create table calendar_objects (
  connection_id integer not null references calendar_connections (id) on delete cascade,
  ical_uid text not null,
  href text not null,
  etag text,
  primary key (connection_id, ical_uid)
) strict, without rowid;

-- How the server was last started, for the commands that look at its folder.
create table server_settings (
  name text not null primary key,
  value text not null
) strict, without rowid;

-- The names that are searched for, as the terms that src/domain/name-terms.ts makes of them. Whoever opens the database
-- brings triggers along that put names in (src/db/names); what is deleted leaves by those below. A row has the number of
-- its record, times sixteen, plus eight for the second generation, plus the number of its kind. There are two
-- generations, so that one answers while the other is built: by new rules for reading names, or because somebody asked
-- for it. Rules 0 have read nothing yet.
create virtual table names using fts5 (
  terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii',
  prefix = '7 8 9 10 11 12 13 14 15'
);

-- To find where two words meet, pages are read from their beginnings: smaller ones halve the time.
insert into names (names, rank) values ('pgsz', 1024);

create table name_indexes (
  generation integer primary key check (generation in (0, 1)),
  state text not null check (state in ('serving', 'building', 'leaving', 'empty')),
  rules integer not null,
  kind integer not null default 0, -- how far it is being built, or cleared away, and how many names are in it
  through integer not null default 0,
  built integer not null default 0
) strict;

insert into name_indexes (generation, state, rules) values (0, 'serving', 0), (1, 'empty', 0);

create trigger projects_leave_names after delete on projects
begin
  delete from names where rowid in
    (select old.id * 16 + i.generation * 8 + 0 from name_indexes i where i.state <> 'empty');
end;

create trigger task_lists_leave_names after delete on task_lists
begin
  delete from names where rowid in
    (select old.id * 16 + i.generation * 8 + 1 from name_indexes i where i.state <> 'empty');
end;

create trigger tasks_leave_names after delete on tasks
begin
  delete from names where rowid in
    (select old.id * 16 + i.generation * 8 + 2 from name_indexes i where i.state <> 'empty');
end;

create trigger folders_leave_names after delete on folders
begin
  delete from names where rowid in
    (select old.id * 16 + i.generation * 8 + 3 from name_indexes i where i.state <> 'empty');
end;

create trigger files_leave_names after delete on files
begin
  delete from names where rowid in
    (select old.id * 16 + i.generation * 8 + 4 from name_indexes i where i.state <> 'empty');
end;

create trigger discussions_leave_names after delete on discussions
begin
  delete from names where rowid in
    (select old.id * 16 + i.generation * 8 + 5 from name_indexes i where i.state <> 'empty');
end;

create trigger discussions_hide_names after update of deleted_at on discussions
when new.deleted_at is not null
begin
  delete from names where rowid in
    (select old.id * 16 + i.generation * 8 + 5 from name_indexes i where i.state <> 'empty');
end;

-- Deleted projects whose names are still in the index. Their rows say that they are not to be found; a worker takes the
-- names out, so that no search walks over them. A project that is restored brings its names along.
create table names_to_clear (
  id integer primary key autoincrement,
  project_id integer not null unique references projects (id) on delete cascade,
  returning_since integer -- seconds: since when a command is putting the names back
) strict;

create trigger projects_clear_names after update of deleted_at on projects
when old.deleted_at is null and new.deleted_at is not null
begin
  insert or replace into names_to_clear (project_id) values (new.id);
end;

create trigger projects_keep_names after update of deleted_at on projects when new.deleted_at is null
begin
  delete from names_to_clear where project_id = new.id;
end;
