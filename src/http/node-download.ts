import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Slices } from './slices.ts'

interface Parts {
  readonly req: IncomingMessage
  /** With its head set, and nothing written. */
  readonly res: ServerResponse
  readonly slices: Slices
  /** In milliseconds: a reader who takes nothing for so long is cut off. */
  readonly stalledAfter: number
  onSent(): void
}

/** Each slice is read when the kernel has taken the one before. */
export function downloadOverNode({ req, res, slices, stalledAfter, onSent }: Parts): void {
  const { socket } = req
  const cut = (): void => {
    socket.destroy()
  }
  const pour = (slice: Uint8Array): void => {
    res.write(slice, (error) => {
      if (error) cut()
      else if (!slices.isAtEnd) read()
      else {
        // Behind this answer there may be others that wait on the same connection.
        socket.setTimeout(0)
        res.end(onSent)
      }
    })
  }
  const read = (): void => {
    slices.read(pour, cut)
  }
  const stop = (): void => {
    socket.off('close', stop)
    slices.stop()
  }

  // Asked of the socket, as a response that waits behind others on it hears nothing of a client that goes away.
  socket.once('close', stop)
  res.once('close', stop)
  socket.setMaxListeners(0)
  res.setTimeout(stalledAfter, cut)
  read()
}
