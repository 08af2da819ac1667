import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Api, client } from './client.ts'
import { companyByCommand } from './company.ts'
import { type Served, serve } from './process.ts'
import { eventually } from './stored.ts'

export interface FileWorld {
  data: string
  run: Awaited<ReturnType<typeof companyByCommand>>['run']
  /** Starts the server with these flags; a running one is stopped before. */
  start(...flags: string[]): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
  stderr(): string
  api(): Api
  project: string
  upload(name: string, content: string | Buffer): Promise<UploadedFile>
  stateOf(file: UploadedFile): Promise<string | undefined>
  /** Waits until the server has brought the file there. */
  becomes(file: UploadedFile, state: string): Promise<void>
  download(file: UploadedFile): Promise<{ status: number; bytes: Buffer }>
}

export interface UploadedFile {
  id: number
  ref: string
  scan_state: string
  downloadable: boolean
}

/** A company in a folder of its own, with a server in front of it that can be stopped and started anew. */
export async function fileWorld(t: TestContext, ...flags: string[]): Promise<FileWorld> {
  const { data, run, key } = await companyByCommand(t, '--plan', 'enterprise')
  const rights = ['--rights', 'delete_any_file', '--operations', 'files:destructive']
  const { key: text } = (await key('--preset', 'write', ...rights)).json
  let served: Served | null = null
  const api = (): Api => client(served?.baseUrl ?? '', text)

  async function start(...anew: string[]): Promise<void> {
    await served?.stop()
    served = await serve(t, data, ['--burst-per-key', '0', '--burst-per-ip', '0', ...anew])
  }

  await start(...flags)
  const project = (await api().post('/projects', { name: 'Files' })).data.id as string
  const path = `/projects/${project}/files`

  async function stateOf({ id }: UploadedFile): Promise<string | undefined> {
    const { files } = (await api().get(`${path}?limit=100`)).data
    return (files as UploadedFile[]).find((file) => file.id === id)?.scan_state
  }

  return {
    data,
    run,
    start,
    async stop(signal) {
      await served?.stop(signal)
      served = null
    },
    stderr: () => served?.stderr() ?? '',
    api,
    project,
    async upload(name, content) {
      const sent =
        typeof content === 'string' ? { content } : { content_base64: content.toString('base64') }
      const { status, data: file, text: answer } = await api().post(path, { name, ...sent })
      assert.equal(status, 201, answer)
      return file
    },
    stateOf,
    becomes: (file, state) =>
      eventually(async () => assert.equal(await stateOf(file), state), 40_000),
    download: ({ id }) => api().download(`${path}/${id}/download`),
  }
}
