import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Api, client } from './client.ts'
import { companyByCommand } from './company.ts'
import { majlis, type Served, serve } from './process.ts'

export interface EventWorld {
  data: string
  run: Awaited<ReturnType<typeof companyByCommand>>['run']
  /** The same, with something on standard input. */
  tell(input: string, ...words: string[]): ReturnType<typeof majlis>
  start(...flags: string[]): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
  api(): Api
  /** Tomorrow's meeting of Sara, to which Ali is invited. */
  meet(name: string): Promise<number>
  notices(): Promise<Notice[]>
}

interface Notice {
  id: number
  kind: string
  recipient: string
  state: string
  attempts: number
  last_error: string | null
}

/** A company with Sara, who organizes, and Ali, who is invited, and a server that can be stopped and started anew. */
export async function eventWorld(t: TestContext): Promise<EventWorld> {
  const { data, run, key } = await companyByCommand(t, '--plan', 'enterprise')
  const ali = ['--name', 'علي', '--email', 'ali@x.example']
  await run('user', 'create', '--company', '1', ...ali)
  const operations = ['--operations', 'events:destructive']
  const { key: text } = (await key('--preset', 'write', ...operations)).json
  let served: Served | null = null
  const api = (): Api => client(served?.baseUrl ?? '', text)

  return {
    data,
    run,
    tell: (input, ...words) => majlis([...words, '--data', data, '--json'], { input }),
    async start(...flags) {
      await served?.stop()
      served = await serve(t, data, ['--burst-per-key', '0', '--burst-per-ip', '0', ...flags])
    },
    async stop(signal) {
      await served?.stop(signal)
      served = null
    },
    api,
    async meet(name) {
      const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
      const times = { starts_at: `${day}T09:00`, ends_at: `${day}T10:00` }
      const invited = { attendee_emails: ['ali@x.example'] }
      const {
        status,
        data: event,
        text: answer,
      } = await api().post('/events', {
        name,
        ...times,
        ...invited,
      })
      assert.equal(status, 201, answer)
      return event.id
    },
    notices: async () => (await run('notification', 'list', '--company', '1')).json,
  }
}
