import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '../support/boot.ts'

test('a private project lists its active members by name, with their roles', async (t) => {
  const { majlis, api } = await boot(t)
  const zaid = majlis.seed.user({ name: 'zaid', email: 'z@x.example', role: 'manager' })
  const amal = majlis.seed.user({ name: 'Amal', email: 'A@x.example' })
  const left = majlis.seed.user({ name: 'Badr', email: 'b@x.example' })
  majlis.seed.user({ name: 'Outsider', email: 'o@x.example' })
  const project = majlis.seed.project()
  for (const { email } of [zaid, amal, left]) project.addMember(email)
  left.deactivate()
  const answer = await api.get(`/projects/${project.id}/members`)
  assert.deepEqual(answer.body, {
    data: [
      { name: 'Amal', email: 'A@x.example', role: 'Member' },
      { name: 'Owner', email: 'owner@company1.example', role: 'Owner' },
      { name: 'zaid', email: 'z@x.example', role: 'Manager' },
    ],
  })
})

test('a public project counts on every active person of the company', async (t) => {
  const { majlis, api } = await boot(t)
  majlis.seed.user({ name: 'Badr', email: 'b@x.example' })
  majlis.seed.user({ name: 'Gone', email: 'g@x.example' }).deactivate()
  majlis.seed.company().user({ name: 'Stranger' })
  const project = majlis.seed.project({ is_public: true })
  const { data } = await api.get(`/projects/${project.slug}/members`)
  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ['Badr', 'Owner'],
  )
})

test('whose key makes a project becomes its member', async (t) => {
  const { majlis, api } = await boot(t)
  const sara = majlis.seed.user({ name: 'Sara', email: 'sara@x.example', role: 'manager' })
  const key = await majlis.key({ creator: sara.email })
  const project = (await api.as(key).post('/projects', { name: 'A' })).data
  const { data } = await api.get(`/projects/${project.id}/members`)
  assert.deepEqual(data, [{ name: 'Sara', email: 'sara@x.example', role: 'Manager' }])
})

test('members are not paginated', async (t) => {
  const { majlis, api } = await boot(t)
  for (let i = 0; i < 120; i++) majlis.seed.user()
  const project = majlis.seed.project({ is_public: true })
  const { body } = await api.get(`/projects/${project.id}/members?limit=5`)
  assert.equal(body.data.length, 121)
  assert.equal('meta' in body, false)
})
