import type { Db } from '../database.ts'

/** Version 1 had a place for tasks but no way to make one, so there is nothing to fill the blocks with. */
export function addTaskBlocks(db: Db): void {
  db.exec(`create table task_blocks (
  list_id integer not null references task_lists (id) on delete cascade,
  first_position integer not null,
  tasks_count integer not null check (tasks_count >= 0),
  primary key (list_id, first_position)
) strict, without rowid`)
}
