/** What waits in memory for a slow reader of the log; past it, lines are dropped and counted. */
const MOST_WAITING = 1024 * 1024

export interface LogStream {
  readonly writableLength: number
  write(text: string): unknown
}

/** Where log lines go. A reader who stops reading, or goes away, costs lines: never memory, never the server. */
export function logSink(stream: LogStream): (lines: string) => void {
  let dropped = 0

  return (lines) => {
    if (stream.writableLength > MOST_WAITING) {
      dropped += lines.split('\n').length - 1
      return
    }
    if (dropped > 0) {
      stream.write(`{"level":"warn","event":"log lines dropped","dropped":${dropped}}\n`)
      dropped = 0
    }
    stream.write(lines)
  }
}
