import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'

test('GET /me names the key, exactly what it may call, its company and its signature', async (t) => {
  const { majlis, api } = await boot(t, { name: 'شركة النخيل' })
  const key = await majlis.key({
    name: 'CI',
    scope: 'write',
    operations: ['tasks:destructive', 'account:read', 'projects:read'],
  })
  const answer = await api.as(key).get('/me')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    data: {
      key: {
        name: 'CI',
        access: 'write',
        operations: ['account:read', 'projects:read', 'tasks:destructive'],
      },
      company: { name: 'شركة النخيل' },
      created_by: { name: 'Owner', email: 'owner@company1.example' },
    },
  })
})
