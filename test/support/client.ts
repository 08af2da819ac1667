import assert from 'node:assert/strict'

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked at field by field
  body: any
  data: Answer['body']
  code: string | undefined
  message: string | undefined
}

export interface Api {
  baseUrl: string
  /** The same server with another key, or with none. */
  as(key: string | null): Api
  /** Extra headers on every request. */
  with(headers: Record<string, string>): Api
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
  send(method: string, path: string, body?: unknown): Promise<Answer>
}

export function client(
  baseUrl: string,
  key: string | null,
  extra: Record<string, string> = {},
): Api {
  async function send(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...extra },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return read(response)
  }

  return {
    baseUrl,
    as: (other) => client(baseUrl, other, extra),
    with: (headers) => client(baseUrl, key, { ...extra, ...headers }),
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
  }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const body = text === '' ? null : JSON.parse(text)
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    data: body?.data,
    code: body?.error?.code,
    message: body?.error?.message,
  }
}

/** The refusal is this one, and says nothing that the error table does not know. */
export function assertRefused(answer: Answer, status: number, code: string): void {
  assert.equal(`${answer.status} ${answer.code}`, `${status} ${code}`, answer.text)
}

export function assertInvalid(answer: Answer, field: string): void {
  assertRefused(answer, 422, 'unprocessable_entity')
  assert.match(answer.message ?? '', new RegExp(`\\b${field}\\b`), 'the message names the field')
}
