import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Db } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open.ts'
import { newestOf, readers } from '../../src/domain/name-reader.ts'
import { nameKinds } from '../../src/domain/name-terms.ts'
import { searchStore } from '../../src/resources/search/store.ts'

const MANY = 1_500
/** A few hundred, however many names there are. */
const FEW_LOOKS = 300

function manyTasks(t: TestContext, title: (number: number) => string): Db {
  const db = openDatabase(':memory:')
  t.after(() => db.close())
  db.exec(`
    insert into companies (id, name, time_zone, plan, created_at, updated_at)
      values (1, 'A', 'UTC', 'pro', 0, 0);
    insert into users (id, company_id, name, email, email_key, role, created_at)
      values (1, 1, 'Sara', 's@x', 's@x', 'owner', 0);
    insert into projects (id, company_id, ref, slug, name, creator_id, created_at, updated_at)
      values (1, 1, 'prj-1', 'p', 'P', 1, 0, 0);
    insert into task_lists
      (id, company_id, project_id, ref, slug, title, creator_id, created_at, updated_at)
      values (1, 1, 1, 'lst-1', 'l', 'L', 1, 0, 0)`)
  const add = db.prepare(`
    insert into tasks
      (company_id, list_id, ref, slug, title, position, creator_id, created_at, updated_at)
    values (1, 1, @ref, @ref, @title, @n, 1, 0, 0)`)
  for (let n = 0; n < MANY; n++) add.run({ ref: `tsk-${n}`, title: title(n), n })
  return db
}

const cases: [title: (number: number) => string, queries: string[]][] = [
  [
    (n) => `Meeting ${n} notes ${n % 2 ? 'alpha' : 'beta'}`,
    ['meeting', 'meeting notes', 'notes meeting', 'meeting 12 n', 'alpha beta', 'meeting notes xq'],
  ],
  [(n) => `Weekly report. ${n % 50 ? '' : '#'}`, ['weekly report', '#', '.', 'report weekly']],
  [(n) => `Software development plan ${n}`, ['developments', 'software developments', 'plan soft']],
  [(n) => `الألوان ${n}`, ['الوان', 'ألوان', 'الالوان']],
  [() => 'العاب', ['الالعاب', 'الألعاب', 'ألعاب', 'العاب']],
  [
    (n) => `Monthly status report of the regional office number ${n}`,
    [
      'Monthly status report of the regional office report',
      'Monthly status report of the regional office number 12 number',
      'monthly status number',
    ],
  ],
  [(n) => `whatsappimage20261115at${n}`, ['whatsappimage20261115at777x', 'whatsappimage2026']],
  [
    (n) => `one two three four five six seven eight nine ten eleven twelve thirteen ${n}`,
    ['one two three four five six seven eight nine ten eleven twelve thirteen xq'],
  ],
]

for (const [title, queries] of cases) {
  test(`however many names are like "${title(7)}", few are looked at`, (t) => {
    const db = manyTasks(t, title)
    let looks = 0
    const { version, read } = newestOf(readers)
    const counting = {
      version,
      read(text: string) {
        looks++
        return read(text)
      },
    }
    const search = searchStore(db, [counting])
    for (const query of queries) {
      looks = 0
      search.find(1, query, nameKinds, 5)
      assert.ok(looks < FEW_LOOKS, `${query}: ${looks} names were looked at`)
    }
  })
}
