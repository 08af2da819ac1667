import type { Db } from '../db/database.ts'
import { slugTables } from '../db/slugs.ts'
import { spans } from '../domain/event-window.ts'
import { refPrefixes } from '../domain/handle.ts'
import { type Finding, listed } from './findings.ts'

/** A counter of `table`, and the count of `counted` that it must agree with. */
const counters: readonly { table: string; counter: string; counted: string }[] = [
  {
    table: 'companies',
    counter: 'projects_count',
    counted: 'projects p where p.company_id = kept.id and p.deleted_at is null',
  },
  {
    table: 'companies',
    counter: 'archived_projects_count',
    counted: `projects p
      where p.company_id = kept.id and p.deleted_at is null and p.archived_at is not null`,
  },
  {
    table: 'projects',
    counter: 'task_lists_count',
    counted: 'task_lists l where l.project_id = kept.id',
  },
  {
    table: 'projects',
    counter: 'tasks_count',
    counted: 'task_lists l join tasks t on t.list_id = l.id where l.project_id = kept.id',
  },
  {
    table: 'projects',
    counter: 'discussions_count',
    counted: 'discussions d where d.project_id = kept.id and d.deleted_at is null',
  },
  {
    table: 'projects',
    counter: 'root_files_count',
    counted: 'files f where f.project_id = kept.id and coalesce(f.folder_id, 0) = 0',
  },
  { table: 'folders', counter: 'files_count', counted: 'files f where f.folder_id = kept.id' },
  { table: 'task_lists', counter: 'tasks_count', counted: 'tasks t where t.list_id = kept.id' },
  {
    table: 'task_lists',
    counter: 'completed_tasks_count',
    counted: 'tasks t where t.list_id = kept.id and t.completed_at is not null',
  },
  {
    table: 'task_lists',
    counter: 'comments_count',
    counted: 'comments c where c.list_id = kept.id',
  },
  { table: 'tasks', counter: 'comments_count', counted: 'comments c where c.task_id = kept.id' },
  {
    table: 'discussions',
    counter: 'replies_count',
    counted: 'comments c where c.discussion_id = kept.id',
  },
]

const kinds = Object.keys(slugTables) as (keyof typeof slugTables)[]

/** What lies below what: both must be of one company. */
const lineage: readonly { table: string; parent: string; key: string }[] = [
  { table: 'task_lists', parent: 'projects', key: 'project_id' },
  { table: 'tasks', parent: 'task_lists', key: 'list_id' },
  { table: 'discussions', parent: 'projects', key: 'project_id' },
  { table: 'folders', parent: 'projects', key: 'project_id' },
  { table: 'files', parent: 'projects', key: 'project_id' },
  { table: 'comments', parent: 'task_lists', key: 'list_id' },
  { table: 'comments', parent: 'tasks', key: 'task_id' },
  { table: 'comments', parent: 'discussions', key: 'discussion_id' },
]

export function checkDatabase(db: Db): Finding[] {
  return [
    integrity(db),
    foreignKeys(db),
    ...counters.map((each) => counter(db, each)),
    taskOrder(db),
    eventCounts(db),
    owners(db),
    refs(db),
    slugs(db),
  ]
}

function integrity(db: Db): Finding {
  const faults = (db.pragma('integrity_check') as { integrity_check: string }[]).map(
    (row) => row.integrity_check,
  )
  const ok = faults.length === 1 && faults[0] === 'ok'
  const advice = faults.some((fault) => fault.includes('"names"'))
    ? '; majlis search reindex builds the search index anew'
    : ''
  const detail = ok
    ? 'every page and index of the database is sound'
    : faults.slice(0, 5).join('; ') + advice
  return { check: 'integrity', ok, detail }
}

function foreignKeys(db: Db): Finding {
  const faults = db.pragma('foreign_key_check') as { table: string; rowid: number }[]
  if (faults.length === 0) {
    return { check: 'foreign keys', ok: true, detail: 'every reference has its record' }
  }
  const some = faults.slice(0, 5).map((row) => `${row.table} row ${row.rowid}`)
  return {
    check: 'foreign keys',
    ok: false,
    detail: `${faults.length} references point nowhere, among them ${some.join(', ')}`,
  }
}

function counter(db: Db, { table, counter, counted }: (typeof counters)[number]): Finding {
  return compared(
    db,
    `${table}.${counter}`,
    `select kept.id, kept.${counter} as kept, (select count(*) from ${counted}) as counted
     from ${table} kept where kept.${counter} <> counted`,
  )
}

/** The blocks of every list hold as many tasks as they say, and all of them. */
function taskOrder(db: Db): Finding {
  return compared(
    db,
    'order of tasks',
    `select b.list_id as id, b.tasks_count as kept,
       (select count(*) from tasks t
        where t.list_id = b.list_id and t.position >= b.first_position
          and t.position < coalesce(
            (select min(next.first_position) from task_blocks next
             where next.list_id = b.list_id and next.first_position > b.first_position),
            9223372036854775807)) as counted
     from task_blocks b where b.tasks_count <> counted
     union all
     select l.id, coalesce(
       (select sum(b.tasks_count) from task_blocks b where b.list_id = l.id), 0) as kept,
       l.tasks_count as counted
     from task_lists l where kept <> counted`,
  )
}

/** The spans of every calendar hold as many events as they say, and all of them. */
function eventCounts(db: Db): Finding {
  const known = spans
    .map(({ span, length }) => `select '${span}' as span, ${length} as length`)
    .join(' union all ')
  return compared(
    db,
    'calendars of people',
    `with spans as (${known})
     select c.user_id as id, c.events_count as kept,
       (select count(*) from event_people p
        where p.user_id = c.user_id and p.starts_at >= c.bucket * s.length
          and p.starts_at < (c.bucket + 1) * s.length) as counted
     from event_counts c join spans s on s.span = c.span
     where c.events_count <> counted
     union all
     select u.id, coalesce(
         (select sum(events_count) from event_counts c
          where c.user_id = u.id and c.span = s.span), 0) as kept,
       (select count(*) from event_people p where p.user_id = u.id) as counted
     from users u join spans s
     where kept <> counted
     union all
     select e.id, p.starts_at as kept, e.starts_at as counted
     from event_people p join events e on e.id = p.event_id where p.starts_at <> e.starts_at`,
  )
}

/** `sql` answers `id, kept, counted` of every row where the two differ. */
function compared(db: Db, check: string, sql: string): Finding {
  const [first, ...others] = db
    .prepare<[], { id: number; kept: number; counted: number }>(sql)
    .all()
  if (first === undefined) return { check, ok: true, detail: 'agrees with a recount' }
  return {
    check,
    ok: false,
    detail: `row ${first.id} says ${first.kept} where a recount says ${first.counted}${others.length ? `, and ${others.length} more differ` : ''}`,
  }
}

function owners(db: Db): Finding {
  const strays = lineage.flatMap(({ table, parent, key }) =>
    texts(
      db,
      `select '${table} row ' || r.id from ${table} r
       join ${parent} above on above.id = r.${key} where above.company_id <> r.company_id`,
    ),
  )
  return listed('companies', "every record is of its parent's company", strays)
}

function refs(db: Db): Finding {
  const strays = kinds.flatMap((kind) =>
    texts(
      db,
      `select ref from ${slugTables[kind].records} where ref not glob '${refPrefixes[kind]}*'`,
    ),
  )
  return listed('refs', 'every ref has the prefix of its kind', strays)
}

function slugs(db: Db): Finding {
  const lost = Object.values(slugTables).flatMap(({ records, table, parent, record }) =>
    texts(
      db,
      `select r.ref from ${records} r
       left join ${table} s on s.${parent} = r.${parent} and s.slug = r.slug
       where s.${record} is not r.id
       union
       select r.ref from ${table} s
       join ${records} r on r.id = s.${record} where r.${parent} <> s.${parent}`,
    ),
  )
  return listed('slugs', 'every slug finds its record', lost)
}

function texts(db: Db, sql: string): string[] {
  return db.prepare<[], string>(sql).pluck().all()
}
