import { builtinScanner } from '../scan/builtin.ts'
import type { Scannable, Scanner, Verdict } from '../scan/scanner.ts'
import type { SandboxScanner } from './sandbox.ts'

type Mode = 'judge' | 'hold' | 'clean' | 'infected' | 'fail'

/** Judges as the builtin scanner does until a test tells it how to. */
export function scriptedScanner(
  digestList: string,
  hasPending: () => boolean,
): { port: Scanner; script: SandboxScanner } {
  const builtin = builtinScanner(digestList)
  let mode: Mode = 'judge'
  let waiting: (() => void)[] = []

  function turn(to: Mode): void {
    mode = to
    if (to !== 'hold') release()
  }

  function release(): void {
    const released = waiting
    waiting = []
    for (const resume of released) resume()
  }

  async function verdictOf(file: Scannable, signal?: AbortSignal): Promise<Verdict> {
    signal?.addEventListener('abort', release)
    while (mode === 'hold' && !signal?.aborted) {
      await new Promise<void>((resume) => waiting.push(resume))
    }
    if (signal?.aborted) throw new Error('The sandbox is closing')
    if (mode === 'clean') return { state: 'clean' }
    if (mode === 'infected') return { state: 'infected', threat: 'Scripted-Threat' }
    if (mode === 'fail') throw new Error('The scanner fails, as the test has told it to')
    return builtin.scan(file)
  }

  return {
    port: { scan: verdictOf },
    script: {
      hold: () => turn('hold'),
      clear: () => turn('clean'),
      infect: () => turn('infected'),
      fail: () => turn('fail'),
      judge: () => turn('judge'),
      async settled() {
        while (hasPending()) {
          if (mode === 'hold' || mode === 'fail') {
            throw new Error(
              'Files wait for a scan, and the scanner has been told to give no verdict',
            )
          }
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
      },
    },
  }
}
