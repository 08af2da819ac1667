import type { Role } from '../domain/account.ts'

/** Whom the demo company's people are called by in its work, files and events. */
export type DemoPerson = 'noura' | 'sara' | 'ahmad' | 'james'

export type PersonIds = Record<DemoPerson, number>

export const demoPeople: Record<DemoPerson, { name: string; email: string; role: Role }> = {
  noura: { name: 'نورة القحطاني', email: 'noura@majlis.example', role: 'owner' },
  sara: { name: 'Sara Ahmed', email: 'sara@majlis.example', role: 'manager' },
  ahmad: { name: 'أحمد الشمري', email: 'ahmad@majlis.example', role: 'member' },
  james: { name: 'James Carter', email: 'james@majlis.example', role: 'member' },
}
