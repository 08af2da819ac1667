/** Rows for people: a header and one line a row. */
export function table(
  rows: readonly Record<string, unknown>[],
  columns: readonly string[],
): string {
  if (rows.length === 0) return 'None.'
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => width(line[i] ?? ''))))
  return lines
    .map((line) =>
      line
        .map((text, i) => pad(text, widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One record for people: a line a field. */
export function sheet(record: Record<string, unknown>): string {
  const names = Object.keys(record)
  const longest = Math.max(...names.map((name) => name.length))
  return names.map((name) => `${name.padEnd(longest)}  ${cell(record[name])}`).join('\n')
}

/** Control characters in somebody's name must not drive the reader's terminal. */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, ' ')
}

export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return oneLine(String(value))
}

function pad(text: string, to: number): string {
  return text + ' '.repeat(Math.max(0, to - width(text)))
}

function width(text: string): number {
  return [...text].filter((letter) => !/\p{M}/u.test(letter)).length
}
