import * as v from 'valibot'
import type { ApiKey } from '../../domain/account.ts'
import { email } from '../../domain/fields.ts'
import { inCatalogOrder, operations, scopes } from '../../domain/operations.ts'

export const Account = v.object({
  key: v.object({
    name: v.string(),
    access: v.picklist(scopes),
    operations: v.array(v.picklist(operations)),
  }),
  company: v.object({ name: v.string() }),
  created_by: v.object({ name: v.string(), email: email() }),
})

export function shapeAccount(key: ApiKey): v.InferOutput<typeof Account> {
  return {
    key: {
      name: key.name,
      access: key.scope,
      operations: inCatalogOrder(operations, key.operations),
    },
    company: { name: key.company.name },
    created_by: { name: key.creator.name, email: key.creator.email },
  }
}
