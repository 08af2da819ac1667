import * as v from 'valibot'
import { email } from '../../domain/fields.ts'
import type { MemberRow } from './store.ts'

const roleNames = { owner: 'Owner', manager: 'Manager', member: 'Member' } as const

export const Member = v.object({
  name: v.string(),
  email: email(),
  role: v.picklist(Object.values(roleNames)),
})

export function shapeMember(row: MemberRow): v.InferOutput<typeof Member> {
  return { name: row.name, email: row.email, role: roleNames[row.role] }
}
