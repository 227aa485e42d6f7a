/**
 * The idempotency keys of requests that have no answer yet. Such a request may have worked: with the same key again, the
 * API answers it, but changes nothing. A request that the API refused leaves its key free.
 */
export class RequestKeys {
  readonly #keys = new Map<string, string>()

  /** Sends a request with the key of `name`, which is the same until the request succeeds. */
  async send<T>(name: string, send: (key: string) => Promise<T>): Promise<T> {
    const key = this.#keys.get(name) ?? crypto.randomUUID()
    this.#keys.set(name, key)
    const answer = await send(key)
    this.#keys.delete(name)
    return answer
  }

  clear(): void {
    this.#keys.clear()
  }
}
