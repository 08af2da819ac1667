import { Agent, get } from 'node:http'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'

/**
 * Asks for one small thing after the other on one connection until its standard input ends, then prints how many
 * milliseconds each took. A process of its own: where large bodies are sent, small answers would be noticed late.
 */
const [url, key] = process.argv.slice(2) as [string, string]
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const took: number[] = []
let isOver = false

process.stdin.resume().once('end', () => {
  isOver = true
})
await read()
console.log('ready')
while (!isOver) {
  const startedAt = performance.now()
  await read()
  took.push(performance.now() - startedAt)
}
console.log(JSON.stringify(took))
agent.destroy()

async function read(): Promise<void> {
  const body = await new Promise<string>((resolve, reject) => {
    get(url, { agent, headers: { Authorization: `Bearer ${key}` } }, (response) => {
      text(response).then(resolve, reject)
    }).once('error', reject)
  })
  if (!body.startsWith('{"data":')) throw new Error(`A read was refused: ${body}`)
}
