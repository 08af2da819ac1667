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

export interface Download {
  status: number
  headers: Headers
  bytes: Buffer
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
  download(path: string): Promise<Download>
  send(method: string, path: string, body?: unknown): Promise<Answer>
}

export function client(
  baseUrl: string,
  key: string | null,
  extra: Record<string, string> = {},
): Api {
  async function send(method: string, path: string, body?: unknown): Promise<Answer> {
    return read(await request(method, path, body))
  }

  function request(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...extra },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
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
    async download(path) {
      const response = await request('GET', path)
      const bytes = Buffer.from(await response.arrayBuffer())
      return { status: response.status, headers: response.headers, bytes }
    },
  }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const body = text !== '' && isJson ? JSON.parse(text) : null
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
