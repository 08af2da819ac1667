import type { Clock } from './clock.ts'
import { redactKeys } from './domain/key-text.ts'
import type { RequestLine } from './http/dispatch.ts'

export interface Log {
  request(line: RequestLine): void
  fault(requestId: string | null, error: unknown): void
  warn(sentence: string): void
  flush(): void
}

/** JSON lines. Those of one turn of the event loop are written together. */
export function jsonLog(write: (text: string) => void, clock: Clock): Log {
  const timeText = lastTimeKept()
  let waiting = ''

  function line(level: string, event: string, fields: object): void {
    if (waiting === '') setTimeout(flush, 10)
    const opening = `{"time":"${timeText(clock.now())}","level":"${level}","event":"${event}"`
    waiting += `${opening},${JSON.stringify(fields).slice(1)}\n`
  }

  function flush(): void {
    if (waiting === '') return
    const text = waiting
    waiting = ''
    write(text)
  }

  return {
    request: (fields) => line('info', 'request', fields),
    fault: (requestId, error) =>
      line('error', 'fault', { request_id: requestId, reason: redactKeys(reasonOf(error)) }),
    warn: (sentence) => line('warn', 'warning', { message: sentence }),
    flush,
  }
}

export const silentLog: Log = { request() {}, fault() {}, warn() {}, flush() {} }

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
