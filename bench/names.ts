import { randomInt } from 'node:crypto'
import { companyDefaults, createCompany } from '../src/admin/companies.ts'
import { adminContext } from '../src/admin/context.ts'
import { createUser } from '../src/admin/users.ts'
import { systemClock } from '../src/clock.ts'
import { dataFolder } from '../src/db/data-folder.ts'
import type { Db } from '../src/db/database.ts'
import { openDatabase } from '../src/db/open.ts'
import { mintRef } from '../src/domain/handle.ts'
import { createStores } from '../src/stores.ts'
import type { Seeded } from './seed.ts'

/** Where new names go. */
interface Place {
  readonly companyId: number
  readonly listId: number
}

const OTHERS = 49
const NAMES_A_TRANSACTION = 1_000
export const COMMON = 'مشروع'
export const RARE = 'زنجبيل'
const words =
  'تطوير المنصة تصميم مراجعة عقد الفاتورة تقرير اجتماع خطة الميزانية موقع تطبيق حملة التسويق موظف تدريب العميل مورد شحن المستودع جرد صيانة سيارة المبنى دور مكتب طابعة الشبكة خادم أمن نسخ احتياطي تحديث إصدار اختبار خطأ إصلاح واجهة لون الشعار هوية كتيب دليل شرح فيديو صورة ملف مجلد قائمة budget design launch review report website update'.split(
    ' ',
  )

/**
 * Fills a folder with `count` names of fifty companies. A quarter of them are the first company's, whose key is the
 * seed's, and four in five of those hold the common word, in the first place or in another.
 */
export function fillNames({ folder, companyId, creatorId }: Seeded, count: number): void {
  const db = openDatabase(dataFolder(folder).database)
  db.pragma('synchronous = off')
  const first = placeIn(db, companyId, creatorId)
  const others = Array.from({ length: OTHERS }, (_, i) => otherCompany(db, i))
  const insert = db.prepare(`
    insert into tasks
      (company_id, list_id, ref, slug, title, position, creator_id, created_at, updated_at)
    values (@companyId, @listId, @ref, 'x', @title, @position, @creatorId, 0, 0)`)
  const add = db.transaction((from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const place = i % 4 === 0 ? first : (others[i % OTHERS] as Place)
      const title = titleOf(i, place === first && i % 20 !== 0)
      const ref = mintRef('task', (limit) => randomInt(limit))
      insert.run({ ...place, creatorId, ref, title, position: i })
    }
  })
  for (let i = 0; i < count; i += NAMES_A_TRANSACTION) {
    add.immediate(i, Math.min(count, i + NAMES_A_TRANSACTION))
  }
  db.pragma('wal_checkpoint(truncate)')
  db.close()
}

function titleOf(number: number, isCommon: boolean): string {
  const title = Array.from({ length: 3 }, () => words[randomInt(words.length)] as string)
  if (isCommon) title[number % 3] = COMMON
  if (number % 5_000 === 0) title.push(RARE)
  return `${title.join(' ')} ${number}`
}

function otherCompany(db: Db, number: number): Place {
  const context = adminContext(db, systemClock)
  const { id } = createCompany(context, { ...companyDefaults, name: `شركة ${number}` })
  const person = { name: 'Person', email: `person@${number}.example`, role: 'owner' } as const
  return placeIn(db, id, createUser(context, { companyId: id, ...person }).id)
}

function placeIn(db: Db, companyId: number, creatorId: number): Place {
  const { projects, lists } = createStores(db, (limit) => randomInt(limit))
  const dates = { start_date: null, end_date: null, description: '', is_public: false }
  const project = projects.create({ companyId, creatorId, now: 0, name: 'العمل', ...dates })
  const fields = { title: 'القائمة', notes: null, priority: null }
  return { companyId, listId: lists.create({ project, creatorId, now: 0, ...fields }).id }
}
