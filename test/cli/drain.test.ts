import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from '../support/client.ts'
import { companyWithKey } from '../support/company.ts'
import { serve } from '../support/process.ts'

const WRITERS = 16
const ROUNDS = 4

for (const http of ['uws', 'node']) {
  test(`every write that is kept when a ${http} server is told to stop was answered`, async (t) => {
    const { data, key } = await companyWithKey(t, '--plan', 'enterprise')
    const limits = ['--burst-per-key', '0', '--burst-per-ip', '0', '--log', 'off', '--http', http]
    for (let round = 0; round < ROUNDS; round++) {
      const server = await serve(t, data, limits)
      const api = client(server.baseUrl, key.key)
      const project = (await api.post('/projects', { name: `Round ${round}` })).data
      const list = (await api.post(`/projects/${project.id}/lists`, { title: 'L' })).data
      let answered = 0
      const writer = async (number: number): Promise<void> => {
        for (let i = 0; ; i++) {
          const made = await api.post(`/lists/${list.id}/tasks`, { title: `${number}-${i}` })
          if (made.status === 201) answered++
        }
      }
      const writers = Array.from({ length: WRITERS }, (_, number) => writer(number).catch(() => {}))
      await new Promise((resolve) => setTimeout(resolve, 300 + round * 37))
      assert.equal(await server.stop(), 0)
      await Promise.all(writers)
      const again = await serve(t, data, limits)
      const kept = (await client(again.baseUrl, key.key).get(`/lists/${list.id}`)).data.tasks_count
      await again.stop()
      assert.ok(answered > WRITERS, `${answered} were answered`)
      assert.equal(kept, answered)
    }
  })
}
