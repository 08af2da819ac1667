import type { Clock } from './clock.ts'
import { redactKeys } from './domain/key-text.ts'
import type { RequestLine } from './http/dispatch.ts'

export interface Log {
  request(line: RequestLine): void
  fault(requestId: string | null, error: unknown): void
  warn(sentence: string): void
  flush(): void
}

/** Request lines of so many milliseconds are written together; a fault or a warning takes them along at once. */
const GATHERED_FOR = 10

/** JSON lines. */
export function jsonLog(write: (text: string) => void, clock: Clock): Log {
  const timeText = lastTimeKept()
  let waiting = ''

  function opening(level: string, event: string): string {
    return `{"time":"${timeText(clock.now())}","level":"${level}","event":"${event}"`
  }

  function alert(level: string, event: string, fields: object): void {
    waiting += `${opening(level, event)},${JSON.stringify(fields).slice(1)}\n`
    flush()
  }

  function flush(): void {
    if (waiting === '') return
    const text = waiting
    waiting = ''
    write(text)
  }

  return {
    request(line) {
      if (waiting === '') setTimeout(flush, GATHERED_FOR)
      waiting += `${opening('info', 'request')}${requestFields(line)}}\n`
    },
    fault: (requestId, error) =>
      alert('error', 'fault', { request_id: requestId, reason: redactKeys(reasonOf(error)) }),
    warn: (sentence) => alert('warn', 'warning', { message: sentence }),
    flush,
  }
}

export const silentLog: Log = { request() {}, fault() {}, warn() {}, flush() {} }

/** What JSON.stringify would say, at a third of its cost: there is one such line a request. */
function requestFields(line: RequestLine): string {
  return `,"request_id":${quoted(line.request_id)},"method":${quoted(line.method)},"path":${quoted(line.path)},"status":${line.status},"duration_ms":${line.duration_ms},"key_id":${line.key_id},"company_id":${line.company_id},"ip":${quoted(line.ip)}`
}

const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** Many lines are of the same millisecond, and writing one out costs as much as the rest of its line. */
function lastTimeKept(): (milliseconds: number) => string {
  let last = Number.NaN
  let text = ''

  return (milliseconds) => {
    if (milliseconds !== last) {
      last = milliseconds
      text = new Date(milliseconds).toISOString()
    }
    return text
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
