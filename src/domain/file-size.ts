const UNITS = ['KB', 'MB', 'GB'] as const
const STEP = 1024

/** As people write it: 512 B, 1.5 KB, 5 MB. */
export function humanSize(bytes: number): string {
  if (bytes < STEP) return `${bytes} B`
  let size = bytes / STEP
  let unit = 0
  while (Number(size.toFixed(1)) >= STEP && unit < UNITS.length - 1) {
    size /= STEP
    unit++
  }
  return `${Number(size.toFixed(1))} ${UNITS[unit]}`
}
