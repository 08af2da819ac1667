import { createServer } from 'node:net'
import { Failure } from '../domain/failure.ts'

/** Tries the address once more with node:net, which names the reason that uWebSockets.js keeps to itself. */
export function whyNotListening(host: string, port: number): Promise<Failure> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve(listenFailure(error.code, host, port)),
    )
    probe.listen({ host, port, exclusive: true }, () =>
      probe.close(() => resolve(listenFailure(undefined, host, port))),
    )
  })
}

export function listenFailure(code: string | undefined, host: string, port: number): Failure {
  switch (code) {
    case 'EADDRINUSE':
      return new Failure(
        `Port ${port} on ${host} is in use: stop the program that has it, or choose another with --port (0 picks a free one).`,
      )
    case 'EACCES':
      return new Failure(
        `This user may not listen on port ${port}: choose one above 1023 with --port.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Failure(
        `${host} is no address of this machine: choose another with --host (0.0.0.0 is all of them).`,
      )
    default:
      return new Failure(
        `Cannot listen on ${host} port ${port} (${code ?? 'no reason given'}): choose others with --host and --port.`,
      )
  }
}
