import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Chance, chance } from '../support/chance.ts'
import { type Answer, type Api, client } from '../support/client.ts'
import { companyByCommand } from '../support/company.ts'
import { majlis, type Served, serve } from '../support/process.ts'
import { assertKept, kept, type Sent, type SentFile, storedNames } from '../support/sent-files.ts'

const CRASHES = 50
const CLIENTS = 6
const LARGEST = 100_000
/** From here on more is deleted than uploaded: what was kept is read again after every crash. */
const ENOUGH = 60
const SHORTEST_LIFE = 5
const LONGEST_LIFE = 400
const CHECK_EVERY = 10
const NEW_FOLDER_EVERY = 25
const FOLDER_GOES_EVERY = 30
const INFECTED_EVERY = 15
const START_IS_CUT_EVERY = 5

const seed = Number(process.env.MAJLIS_CRASH_SEED ?? randomInt(2 ** 31))
/** Every upload is a piece of it. */
const pool = createPool(chance(seed))
const infected = pool.subarray(0, 3_000)

/** One life of the server, and those who use it. */
interface Life {
  readonly api: Api
  readonly project: string
  readonly sent: Sent
  readonly number: number
  isKilled: boolean
  unanswered: number
  onAnswer(): void
}

test(`after ${CRASHES} times kill -9 in the middle of uploads and deletes all that was answered is so`, async (t) => {
  const { data, start, project } = await prepare(t)
  const sent: Sent = { files: new Map(), folders: [] }
  const random = chance(seed + 1)
  let unanswered = 0
  let unfinished = 0
  for (let number = 0; number <= CRASHES; number++) {
    try {
      if (storedNames(data).some((name) => name.endsWith('.part'))) unfinished++
      if (random.onceIn(START_IS_CUT_EVERY)) await (await start(number)).server.stop('SIGKILL')
      const { server, api } = await start(number)
      await assertKept(data, project, api, sent)
      if (number % CHECK_EVERY === 0) await assertCheck(data)
      if (number === CRASHES) {
        assert.equal(await server.stop(), 0)
        break
      }
      const life = beginLife(api, project, sent, number)
      await liveAndDie(server, life, random)
      if (life.unanswered > 0) unanswered++
    } catch (error) {
      t.diagnostic(`crash ${number}; again with MAJLIS_CRASH_SEED=${seed}`)
      throw error
    }
  }
  const seen = `${sent.files.size} uploads; of ${CRASHES} crashes ${unanswered} left a request unanswered, and ${unfinished} an upload half written`
  t.diagnostic(seen)
  assert.ok(unanswered > CRASHES / 2 && unfinished > CRASHES / 10, `it was never hit: ${seen}`)
})

async function prepare(t: TestContext) {
  const { data, key } = await companyByCommand(t, '--plan', 'enterprise')
  const grant = ['--operations', 'files:destructive', '--rights', 'delete_any_file']
  const { key: secret } = (await key('--preset', 'write', ...grant)).json
  const digest = createHash('sha256').update(infected).digest('hex')
  writeFileSync(join(data, 'infected-sha256.txt'), `${digest} Test\n`)

  async function start(number: number): Promise<{ server: Served; api: Api }> {
    const http = ['--http', number % 2 === 0 ? 'uws' : 'node']
    const limits = ['--burst-per-key', '0', '--burst-per-ip', '0']
    const server = await serve(t, data, [...http, ...limits, '--log', 'off'])
    return { server, api: client(server.baseUrl, secret) }
  }

  const { server, api } = await start(0)
  const { data: project } = await api.post('/projects', { name: 'Crash' })
  await server.stop()
  return { data, start, project: project.id as string }
}

function beginLife(api: Api, project: string, sent: Sent, number: number): Life {
  return { api, project, sent, number, isKilled: false, unanswered: 0, onAnswer() {} }
}

async function liveAndDie(server: Served, life: Life, random: Chance): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, (_, number) => work(life, number))
  const allEnd = Promise.all(clients)
  await Promise.race([delay(SHORTEST_LIFE + random.below(LONGEST_LIFE - SHORTEST_LIFE)), allEnd])
  // What was answered this very moment is the likeliest to be untrue.
  if (random.onceIn(2)) await Promise.race([nextAnswer(life), allEnd])
  life.isKilled = true
  assert.equal(await server.stop('SIGKILL'), null, `it ended by itself: ${server.stderr()}`)
  await allEnd
}

function nextAnswer(life: Life): Promise<void> {
  return new Promise((resolve) => {
    life.onAnswer = resolve
  })
}

/** Uploads and deletes without a pause until an answer does not come. */
async function work(life: Life, number: number): Promise<void> {
  const random = chance(seed + (life.number + 1) * 1_000 + number)
  for (let i = 0; ; i++) {
    const step = stepOf(life.sent, random)
    const isAnswered = await step(life, random, `${life.number}-${number}-${i}`)
    if (!isAnswered) break
    life.onAnswer()
  }
  assert.ok(life.isKilled, 'only a killed server does not answer')
  life.unanswered++
}

type Step = (life: Life, random: Chance, name: string) => Promise<boolean>

function stepOf({ files }: Sent, random: Chance): Step {
  if (random.onceIn(NEW_FOLDER_EVERY)) return addFolder
  if (random.onceIn(FOLDER_GOES_EVERY)) return deleteFolder
  const deletesOf3 = kept(files.values()).length > ENOUGH ? 2 : 1
  return random.below(3) < deletesOf3 ? deleteFile : upload
}

async function upload({ api, project, sent }: Life, random: Chance, name: string) {
  const isInfected = random.onceIn(INFECTED_EVERY)
  const folder = random.onceIn(2) ? (random.pick(kept(sent.folders)) ?? null) : null
  const bytes = isInfected ? infected : pieceOf(pool, random)
  const file: SentFile = { name, bytes, isInfected, folder, ref: null, fate: 'open' }
  sent.files.set(name, file)
  const answer = await answerOf(
    api.post(`/projects/${project}/files`, {
      name,
      folder_id: folder?.id ?? null,
      content_base64: bytes.toString('base64'),
    }),
  )
  if (answer === null) return false
  if (answer.status === 201) {
    file.ref = answer.data.ref
    file.fate = folder?.fate ?? 'kept'
  } else assertFolderGoes(file, answer, 422)
  return true
}

async function deleteFile({ api, sent }: Life, random: Chance) {
  const file = random.pick(kept(sent.files.values()))
  if (file === undefined) return true
  file.fate = 'open'
  const answer = await answerOf(api.delete(`/files/${file.ref}`))
  if (answer === null) return false
  if (answer.status === 200) file.fate = 'gone'
  else assertFolderGoes(file, answer, 404)
  return true
}

async function addFolder({ api, project, sent }: Life, _random: Chance, name: string) {
  const answer = await answerOf(api.post(`/projects/${project}/folders`, { name }))
  if (answer === null) return false
  assert.equal(answer.status, 201, answer.text)
  sent.folders.push({ id: answer.data.id, fate: 'kept' })
  return true
}

async function deleteFolder({ api, project, sent }: Life, random: Chance) {
  const folder = random.pick(kept(sent.folders))
  if (folder === undefined) return true
  const inside = (): SentFile[] => [...sent.files.values()].filter((file) => file.folder === folder)
  folder.fate = 'open'
  for (const file of kept(inside())) file.fate = 'open'
  const answer = await answerOf(api.delete(`/projects/${project}/folders/${folder.id}`))
  if (answer === null) return false
  assert.equal(answer.status, 200, answer.text)
  folder.fate = 'gone'
  for (const file of inside()) file.fate = 'gone'
  return true
}

/** Another client deletes the folder meanwhile: that alone excuses a refusal. */
function assertFolderGoes(file: SentFile, answer: Answer, status: number): void {
  assert.equal(answer.status, status, answer.text)
  assert.ok(file.folder !== null && file.folder.fate !== 'kept', answer.text)
  file.fate = 'gone'
}

async function answerOf(asked: Promise<Answer>): Promise<Answer | null> {
  return asked.catch(() => null)
}

async function assertCheck(data: string): Promise<void> {
  const { json, stdout } = await majlis(['check', '--data', data, '--json'])
  assert.equal(json.ok, true, stdout)
}

function createPool(random: Chance): Buffer {
  return Buffer.from(Array.from({ length: 4 * LARGEST }, () => random.below(256)))
}

/** Small ones as often as large ones. */
function pieceOf(bytes: Buffer, random: Chance): Buffer {
  const size = 1 + random.below(random.onceIn(2) ? 1_000 : LARGEST)
  const from = random.below(bytes.length - size)
  return bytes.subarray(from, from + size)
}
