import { App, us_socket_local_port } from 'uWebSockets.js'
import { dataFolder } from '../src/db/data-folder.ts'
import { openDatabase } from '../src/db/open.ts'
import { BASE_PATH } from '../src/gates/routing.ts'
import { createStores } from '../src/stores.ts'
import { cases } from './cases.ts'

/**
 * What Majlis is held against: uWebSockets.js, the same statements on the same file, the same body, and nothing else.
 * Run by bench/run.ts as `bare.ts FOLDER COMPANY_ID`.
 */
const [folder = '', companyId = ''] = process.argv.slice(2)
const company = Number(companyId)
const stores = createStores(openDatabase(dataFolder(folder).database), () => 0)
const app = App()

for (const { pattern, bareBody } of cases) {
  app.get(BASE_PATH + pattern, (res, req) => {
    const body = bareBody(stores, company, req.getParameter(0) ?? '')
    res.writeHeader('Content-Type', 'application/json; charset=utf-8')
    res.end(body)
  })
}

app.listen('127.0.0.1', 0, (socket) => {
  if (!socket) throw new Error('The bare server cannot listen')
  const base_url = `http://127.0.0.1:${us_socket_local_port(socket)}${BASE_PATH}`
  process.stdout.write(`${JSON.stringify({ base_url })}\n`)
})
