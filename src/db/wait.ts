/** Stops this thread for so many milliseconds: for programs that have nothing else to do meanwhile. */
export function waitFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
