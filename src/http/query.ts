/** One query parameter: how it is read and how it is described, side by side. */
export interface QueryParameter<T> {
  readonly description: string
  readonly schema: Record<string, unknown>
  read(raw: string | null): T
}

export type QueryParameters = Readonly<Record<string, QueryParameter<unknown>>>

export type QueryOf<P extends QueryParameters> = { [K in keyof P]: ReturnType<P[K]['read']> }

export function readQuery(parameters: QueryParameters, raw: string): Record<string, unknown> {
  const sent = raw === '' ? null : new URLSearchParams(raw)
  const query: Record<string, unknown> = {}
  for (const name in parameters) query[name] = parameters[name]?.read(sent?.get(name) ?? null)
  return query
}

export function flag(description: string): QueryParameter<boolean> {
  return {
    description,
    schema: { type: 'boolean', default: false },
    read: (raw) => raw === 'true' || raw === '1',
  }
}

const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/

export function wholeNumber(raw: string | null): number | null {
  return raw !== null && DECIMAL.test(raw) ? Math.trunc(Number(raw)) : null
}
