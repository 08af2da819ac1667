/** One query parameter: how it is read and how it is described, side by side. */
export interface QueryParameter<T> {
  readonly description: string
  readonly schema: Record<string, unknown>
  /** Whether it may be sent more than once, as `name=a&name=b`, `name[]=a` or `name=a,b`: then it is read as `a,b`. */
  readonly isList?: boolean
  read(raw: string | null): T
}

export type QueryParameters = Readonly<Record<string, QueryParameter<unknown>>>

export type QueryOf<P extends QueryParameters> = { [K in keyof P]: ReturnType<P[K]['read']> }

export function readQuery(parameters: QueryParameters, raw: string): Record<string, unknown> {
  const sent = raw === '' ? null : new URLSearchParams(raw)
  const query: Record<string, unknown> = {}
  for (const name in parameters) {
    const parameter = parameters[name] as QueryParameter<unknown>
    const value = parameter.isList === true ? listIn(sent, name) : sent?.get(name)
    query[name] = parameter.read(value ?? null)
  }
  return query
}

function listIn(sent: URLSearchParams | null, name: string): string | null {
  const values = [...(sent?.getAll(name) ?? []), ...(sent?.getAll(`${name}[]`) ?? [])]
  return values.length === 0 ? null : values.join(',')
}

export function flag(description: string): QueryParameter<boolean> {
  return {
    description,
    schema: { type: 'boolean', default: false },
    read: (raw) => raw === 'true' || raw === '1',
  }
}

/** Out of range is clamped, and what is no number is not there. */
export function clamped(
  description: string,
  usual: number,
  least: number,
  most: number,
): QueryParameter<number> {
  const maximum = most === Number.MAX_SAFE_INTEGER ? {} : { maximum: most }
  return {
    description,
    schema: { type: 'integer', default: usual, minimum: least, ...maximum },
    read: (raw) => Math.min(Math.max(wholeNumber(raw) ?? usual, least), most),
  }
}

/** Some of a few words. Others are ignored; null is for not having been sent at all. */
export function someOf<const W extends string>(
  description: string,
  words: readonly W[],
): QueryParameter<W[] | null> {
  return {
    description,
    schema: { type: 'array', items: { type: 'string', enum: [...words] } },
    isList: true,
    read(raw) {
      const sent = raw?.split(',').map((word) => word.trim()) ?? []
      if (sent.every((word) => word === '')) return null
      return words.filter((word) => sent.includes(word))
    },
  }
}

export function searchText(description: string): QueryParameter<string> {
  return { description, schema: { type: 'string' }, read: (raw) => raw ?? '' }
}

const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/

function wholeNumber(raw: string | null): number | null {
  return raw !== null && DECIMAL.test(raw) ? Math.trunc(Number(raw)) : null
}
