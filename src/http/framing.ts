/**
 * What a request's headers say about where its body ends and who sends it. Two different answers to either question
 * are how requests are smuggled past a proxy, so a doubled or unknown one breaks the request.
 */
export class FramingCheck {
  authorization = ''
  forwardedFor = ''
  isBroken = false
  #contentLength: string | null = null
  #transferEncoding: string | null = null
  #hasAuthorization = false
  #hasHost = false

  /** Forgets the request before. */
  begin(): void {
    this.authorization = ''
    this.forwardedFor = ''
    this.isBroken = false
    this.#contentLength = null
    this.#transferEncoding = null
    this.#hasAuthorization = false
    this.#hasHost = false
  }

  /** How long the body says it is; infinite when it comes in chunks. */
  get declaredLength(): number {
    if (this.#transferEncoding !== null) return Number.POSITIVE_INFINITY
    return Number(this.#contentLength ?? 0)
  }

  /** Takes one header; names come in lower case. */
  readonly add = (name: string, value: string): void => {
    switch (name) {
      case 'authorization':
        this.isBroken ||= this.#hasAuthorization
        this.#hasAuthorization = true
        this.authorization = value
        break
      case 'host':
        this.isBroken ||= this.#hasHost
        this.#hasHost = true
        break
      case 'content-length':
        this.isBroken ||= this.#contentLength !== null || this.#transferEncoding !== null
        this.#contentLength = value
        break
      case 'transfer-encoding':
        this.isBroken ||= this.#transferEncoding !== null || this.#contentLength !== null
        this.isBroken ||= value.toLowerCase() !== 'chunked'
        this.#transferEncoding = value
        break
      case 'x-forwarded-for':
        this.forwardedFor = this.forwardedFor === '' ? value : `${this.forwardedFor},${value}`
        break
    }
  }
}
