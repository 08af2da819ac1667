import { spawn } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Report } from './section.ts'
import { type Seeded, seed } from './seed.ts'
import { keepTrack, type Server, startMajlis } from './servers.ts'
import { measureSlowReaders } from './slow-readers.ts'

interface House {
  readonly seeded: Seeded
  readonly server: Server
  readonly project: string
}

interface Answer {
  readonly status: number
  readonly body: Buffer
}

const size = { projects: 20, listsAProject: 1, tasksAList: 10 }
const transports = ['uws', 'node'] as const
const UPLOADS = 100
const MEGABYTE = 1024 * 1024
const LARGEST = 5 * MEGABYTE
const slowness = { readers: 100, bytesASecond: 50_000, seconds: 5 }
const ALONE = 1_500

const readsLine = 'reads during uploads'
const readersLine = 'slow readers'
const reader = fileURLToPath(new URL('small-reads.ts', import.meta.url))

/** Uploads and downloads must neither hold up the others nor fill the memory. */
export const uploads: Report = {
  name: 'uploads',
  lines: [readsLine, readersLine],
  async write({ folder }, isWanted) {
    const lines: string[] = []
    for (const http of transports) {
      const data = join(folder, `uploads-${http}`)
      const seeded = await seed(data, size)
      if (isWanted(readsLine)) lines.push(await duringUploads(http, seeded))
      if (isWanted(readersLine)) lines.push(await withSlowReaders(http, seeded))
    }
    return [
      `Majlis under ${UPLOADS} uploads and ${slowness.readers} downloads at once`,
      ...lines,
      '',
    ].join('\n')
  },
}

async function duringUploads(http: string, seeded: Seeded): Promise<string> {
  const house = await open(http, seeded)
  const { server, project } = house
  const reading = `${server.baseUrl}/projects/${project}`
  const alone = await readWhile(reading, seeded.key, () => setTimeout(ALONE))
  const files = Array.from({ length: UPLOADS }, () => randomBytes(MEGABYTE))
  const bodies = files.map((bytes, i) => bodyOf(`${i}.bin`, bytes))
  let refs: string[] = []
  let seconds = 0
  const during = await readWhile(reading, seeded.key, async () => {
    const startedAt = performance.now()
    refs = await Promise.all(bodies.map((body) => upload(house, body)))
    seconds = (performance.now() - startedAt) / 1_000
  })
  alone.push(...(await readWhile(reading, seeded.key, () => setTimeout(ALONE))))
  for (const [i, bytes] of files.entries()) await compare(house, refs[i] as string, bytes)
  await close(server)
  return [
    `${http}: ${UPLOADS} uploads of 1 MB took ${seconds.toFixed(1)} s; all were answered 201 and came back with their SHA-256`,
    `  GET /projects/{ref} alone: ${spread(alone)}`,
    `  while they were sent:      ${spread(during)}`,
    `  ratio of the medians ${ratio(during, alone, 0.5)}, of the p95 ${ratio(during, alone, 0.95)}`,
  ].join('\n')
}

async function withSlowReaders(http: string, seeded: Seeded): Promise<string> {
  const bytes = randomBytes(LARGEST)
  const first = await open(http, seeded)
  const ref = await upload(first, bodyOf('large.bin', bytes))
  await compare(first, ref, bytes)
  await close(first.server)

  // One that has taken no upload: what that leaves in memory would hide what a download takes.
  const house = await open(http, seeded)
  await compare(house, ref, bytes)
  const path = downloadPath(house, ref)
  const { before, after, most, taken } = await measureSlowReaders(
    house.server,
    { path, key: seeded.key },
    slowness,
  )
  await close(house.server)
  return `${http}: ${slowness.readers} readers of 5 MB at ${taken.toFixed(0)} KB/s each: RSS ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after ${slowness.seconds} s (${most.toFixed(0)} MB at most): grown by ${(after - before).toFixed(1)} MB`
}

async function open(http: string, seeded: Seeded): Promise<House> {
  process.env.MAJLIS_HTTP = http
  const server = await startMajlis(seeded)
  delete process.env.MAJLIS_HTTP
  return { seeded, server, project: seeded.projectRefs[0] as string }
}

/** The next server of the same folder has to wait for this one's end. */
async function close({ pid }: Server): Promise<void> {
  process.kill(pid, 'SIGTERM')
  while (isAlive(pid)) await setTimeout(20)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** In milliseconds, what reads took one after the other while `work` went on. */
async function readWhile(url: string, key: string, work: () => Promise<void>): Promise<number[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', reader, url, key], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  keepTrack(child)
  const output = text(child.stdout)
  await once(child.stdout, 'data')
  await work()
  child.stdin.end()
  const [, took = ''] = (await output).split('\n')
  return JSON.parse(took) as number[]
}

function bodyOf(name: string, bytes: Buffer): Buffer {
  return Buffer.from(JSON.stringify({ name, content_base64: bytes.toString('base64') }))
}

async function upload({ seeded, server, project }: House, body: Buffer): Promise<string> {
  const answer = await ask('POST', `${server.baseUrl}/projects/${project}/files`, seeded.key, body)
  if (answer.status !== 201) throw new Error(`An upload was refused: ${answer.body}`)
  return (JSON.parse(answer.body.toString()) as { data: { ref: string } }).data.ref
}

/** Waits for the scan. */
async function compare(house: House, ref: string, sent: Buffer): Promise<void> {
  const url = house.server.baseUrl + downloadPath(house, ref)
  let answer = await ask('GET', url, house.seeded.key)
  for (; answer.status === 403; answer = await ask('GET', url, house.seeded.key)) {
    await setTimeout(20)
  }
  if (answer.status !== 200 || hash('sha256', answer.body) !== hash('sha256', sent)) {
    throw new Error(`${ref} did not come back as it was sent: ${answer.status}`)
  }
}

function downloadPath({ project }: House, ref: string): string {
  return `/projects/${project}/files/${ref}/download`
}

const agent = new Agent({ keepAlive: false })

async function ask(method: string, url: string, key: string, body?: Buffer): Promise<Answer> {
  const sending = request(url, {
    method,
    agent,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body && { 'Content-Type': 'application/json', 'Content-Length': body.length }),
    },
  })
  sending.end(body)
  const [response] = await once(sending, 'response')
  return { status: response.statusCode, body: await buffer(response) }
}

function spread(took: readonly number[]): string {
  const at = (share: number): string => quantile(took, share).toFixed(2)
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms (${took.length} reads)`
}

function ratio(first: readonly number[], second: readonly number[], share: number): string {
  return (quantile(first, share) / quantile(second, share)).toFixed(1)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] as number
}
