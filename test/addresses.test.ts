import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isArchived } from '../src/addresses.ts'

test('an address is archived when the project that it leads to is', () => {
  assert.equal(isArchived({}), false, 'what is not below a project is never archived')
  assert.equal(isArchived({ project_id: { archived_at: null } }), false)
  assert.equal(isArchived({ project_id: { archived_at: 1 } }), true)
  for (const parameter of ['list_id', 'task_id', 'discussion_id', 'file_id']) {
    assert.equal(isArchived({ [parameter]: { project_archived_at: null } }), false, parameter)
    assert.equal(isArchived({ [parameter]: { project_archived_at: 1 } }), true, parameter)
  }
})

test('an address that leads to no project is a fault, not an open door', () => {
  assert.throws(() => isArchived({ folder_id: { id: 1 } }), /leads to no project/)
})
