import type { Role } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'
import { presets } from '../domain/operations.ts'
import { projectStore } from '../resources/projects/store.ts'
import { companyDefaults, createCompany } from './companies.ts'
import type { AdminContext } from './context.ts'
import { createKey } from './keys.ts'
import { createUser } from './users.ts'

const people: { name: string; email: string; role: Role }[] = [
  { name: 'نورة القحطاني', email: 'noura@majlis.example', role: 'owner' },
  { name: 'Sara Ahmed', email: 'sara@majlis.example', role: 'manager' },
  { name: 'أحمد الشمري', email: 'ahmad@majlis.example', role: 'member' },
  { name: 'James Carter', email: 'james@majlis.example', role: 'member' },
]

const projects = [
  {
    name: 'إطلاق المتجر الإلكتروني',
    description: 'كل ما يلزم قبل افتتاح المتجر: التصميم والدفع والشحن.',
    is_public: true,
    start_date: '2026-01-04',
    end_date: '2026-06-30',
  },
  {
    name: 'Website redesign',
    description: 'A faster site that reads well from right to left and from left to right.',
    is_public: false,
    start_date: '2026-02-01',
    end_date: null,
  },
  {
    name: 'مؤتمر الرياض Riyadh Summit',
    description: 'تنظيم المؤتمر السنوي / Everything for the yearly summit.',
    is_public: true,
    start_date: null,
    end_date: null,
  },
]

export interface Demo {
  companyId: number
  key: string
}

/** A bilingual company to look around in. It is made on an empty database only; later starts add a key to it. */
export async function prepareDemo(context: AdminContext): Promise<Demo> {
  const companyId = context.db.transaction(() => findOrMakeCompany(context)).immediate()
  const { key } = await createKey(context, {
    companyId,
    creatorEmail: 'noura@majlis.example',
    name: 'Demo key',
    grant: presets.write,
    expiresAt: null,
  })
  return { companyId, key }
}

function findOrMakeCompany(context: AdminContext): number {
  const companies = context.db
    .prepare<[], { id: number; is_demo: number }>('select id, is_demo from companies order by id')
    .all()
  const demo = companies.find((company) => company.is_demo === 1)
  if (demo) return demo.id
  if (companies.length > 0) {
    throw new Failure(
      'This data folder already has companies of its own, and --demo fills an empty one only: start without --demo, or name another folder with --data.',
    )
  }
  return makeCompany(context)
}

function makeCompany(context: AdminContext): number {
  const { id: companyId } = createCompany(context, {
    ...companyDefaults,
    name: 'مجلس التجربة Demo Majlis',
    timeZone: 'Asia/Riyadh',
    plan: 'productive',
    restApi: true,
    isDemo: true,
  })
  const [owner] = people.map((person) => createUser(context, { companyId, ...person }))
  const store = projectStore(context.db, context.randomBelow)
  const creatorId = (owner as { id: number }).id
  for (const project of projects) {
    store.create({ ...project, companyId, creatorId, now: context.now() })
  }
  return companyId
}
