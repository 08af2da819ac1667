import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js'
import { Buffer } from 'node:buffer'
import { randomInt } from 'node:crypto'
import { groupCommit } from '../src/db/commit.ts'
import { dataFolder } from '../src/db/data-folder.ts'
import { openDatabase } from '../src/db/open.ts'
import { BASE_PATH } from '../src/gates/routing.ts'
import { CONTENT_TYPE, type Reply, statusLine } from '../src/http/reply.ts'
import { createStores } from '../src/stores.ts'
import { type BareRequest, type Case, cases } from './cases.ts'

/**
 * What Majlis is held against: uWebSockets.js, the same statements on the same file, the same body, and nothing else.
 * Writes share their commit as Majlis's do; they leave no audit entry. Run by bench/servers.ts as
 * `bare.ts FOLDER COMPANY_ID CREATOR_ID`.
 */
const [folder = '', companyId = '', creatorId = ''] = process.argv.slice(2)
const owner = { companyId: Number(companyId), creatorId: Number(creatorId) }
const db = openDatabase(dataFolder(folder).database)
const stores = createStores(db, (limit) => randomInt(limit))
const commit = groupCommit(db)
const app = App()

for (const each of cases) {
  if (each.method === 'GET') serveRead(each)
  else serveWrite(each)
}

app.listen('127.0.0.1', 0, (socket) => {
  if (!socket) throw new Error('The bare server cannot listen')
  const base_url = `http://127.0.0.1:${us_socket_local_port(socket)}${BASE_PATH}`
  process.stdout.write(`${JSON.stringify({ base_url })}\n`)
})

function serveRead({ pattern, bare }: Case): void {
  app.get(BASE_PATH + pattern, (res, req) => {
    const parameters = [req.getParameter(0) ?? '']
    send(res, bare(stores, requestOf(parameters, undefined)))
  })
}

function serveWrite({ pattern, bare }: Case): void {
  app.post(BASE_PATH + pattern, (res, req) => {
    const parameters = [req.getParameter(0) ?? '', req.getParameter(1) ?? '']
    let isGone = false
    res.onAborted(() => {
      isGone = true
    })
    readBody(res, (text) => {
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      commit
        .run(() => bare(stores, requestOf(parameters, body)))
        .then((reply) => {
          if (!isGone) res.cork(() => send(res, reply))
        })
    })
  })
}

function readBody(res: HttpResponse, done: (text: string) => void): void {
  const chunks: Buffer[] = []
  res.onData((chunk, isLast) => {
    // The chunk is gone after this turn.
    chunks.push(Buffer.from(new Uint8Array(chunk)))
    if (isLast) done(Buffer.concat(chunks).toString('utf8'))
  })
}

function requestOf(parameters: string[], body: unknown): BareRequest {
  return { ...owner, now: Date.now(), parameters, body }
}

function send(res: HttpResponse, { status, body }: Reply): void {
  if (status !== 200) res.writeStatus(statusLine(status))
  res.writeHeader('Content-Type', CONTENT_TYPE)
  res.end(body as string)
}
