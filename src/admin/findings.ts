export interface Finding {
  check: string
  ok: boolean
  detail: string
}

/** `strays` are what is not as it should be; the first few are named. */
export function listed(check: string, whenWell: string, strays: readonly string[]): Finding {
  const ok = strays.length === 0
  const more = strays.length > 5 ? `, and ${strays.length - 5} more` : ''
  const detail = ok ? whenWell : `not so: ${strays.slice(0, 5).join(', ')}${more}`
  return { check, ok, detail }
}
