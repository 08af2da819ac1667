import type { Clock } from './clock.ts'
import { redactKeys } from './domain/key-text.ts'
import type { RequestLine } from './http/traces.ts'

export interface Log {
  request(line: RequestLine): void
  fault(requestId: string | null, error: unknown): void
  warn(sentence: string): void
  /** What an operator may want to know, and need do nothing about. */
  note(sentence: string): void
  flush(): void
}

/** Request lines of so many milliseconds are written together; a fault or a warning takes them along at once. */
const GATHERED_FOR = 10

/** JSON lines. */
export function jsonLog(write: (text: string) => void, clock: Clock): Log {
  const timeText = lastTimeKept()
  let waiting = ''

  function line(level: string, event: string, fields: object): string {
    const opening = `{"time":"${timeText(clock.now())}","level":"${level}","event":"${event}"`
    return `${opening},${JSON.stringify(fields).slice(1)}\n`
  }

  function flush(): void {
    if (waiting === '') return
    const text = waiting
    waiting = ''
    write(text)
  }

  return {
    request(fields) {
      if (waiting === '') setTimeout(flush, GATHERED_FOR)
      waiting += line('info', 'request', fields)
    },
    fault(requestId, error) {
      const reason = redactKeys(reasonOf(error))
      waiting += line('error', 'fault', { request_id: requestId, reason })
      flush()
    },
    warn(sentence) {
      waiting += line('warn', 'warning', { message: sentence })
      flush()
    },
    note(sentence) {
      waiting += line('info', 'note', { message: sentence })
      flush()
    },
    flush,
  }
}

export const silentLog: Log = { request() {}, fault() {}, warn() {}, note() {}, flush() {} }

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
