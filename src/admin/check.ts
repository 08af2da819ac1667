import type { Db } from '../db/database.ts'

interface Finding {
  check: string
  ok: boolean
  detail: string
}

export interface CheckReport {
  ok: boolean
  checks: Finding[]
}

/** A counter, and the count that it must agree with: `id, kept, counted` of every row where they differ. */
const counters: Record<string, string> = {
  'companies.projects_count': `
    select c.id, c.projects_count as kept,
      (select count(*) from projects p
       where p.company_id = c.id and p.deleted_at is null) as counted
    from companies c where kept <> counted`,
  'companies.archived_projects_count': `
    select c.id, c.archived_projects_count as kept,
      (select count(*) from projects p
       where p.company_id = c.id and p.deleted_at is null and p.archived_at is not null) as counted
    from companies c where kept <> counted`,
}

/** Looks at everything it can, and changes nothing. */
export function checkDatabase(db: Db): CheckReport {
  const checks = [
    integrity(db),
    foreignKeys(db),
    ...Object.entries(counters).map(([name, sql]) => counter(db, name, sql)),
    liveSlugs(db),
  ]
  return { ok: checks.every((check) => check.ok), checks }
}

function integrity(db: Db): Finding {
  const faults = (db.pragma('integrity_check') as { integrity_check: string }[]).map(
    (row) => row.integrity_check,
  )
  const ok = faults.length === 1 && faults[0] === 'ok'
  const detail = ok
    ? 'every page and index of the database is sound'
    : faults.slice(0, 5).join('; ')
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

function counter(db: Db, name: string, sql: string): Finding {
  const [first, ...others] = db
    .prepare<[], { id: number; kept: number; counted: number }>(sql)
    .all()
  if (first === undefined) return { check: name, ok: true, detail: 'agrees with a recount' }
  return {
    check: name,
    ok: false,
    detail: `row ${first.id} says ${first.kept} where a recount says ${first.counted}${others.length ? `, and ${others.length} more differ` : ''}`,
  }
}

function liveSlugs(db: Db): Finding {
  const lost = db
    .prepare<[], string>(`
      select p.ref from projects p
      left join project_slugs s on s.company_id = p.company_id and s.slug = p.slug
      where s.project_id is not p.id`)
    .pluck()
    .all()
  const ok = lost.length === 0
  const detail = ok ? 'every slug finds its record' : `these do not: ${lost.slice(0, 5).join(', ')}`
  return { check: 'slugs', ok, detail }
}
