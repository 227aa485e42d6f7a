/**
 * Idempotency keys of the requests that have no response yet. Such a request may have had its effect, so a repetition
 * sends the same key, and the API answers with its first response.
 */
const pendingKeys = new Map<string, string>()

export function idempotencyKeyFor(request: string): string {
  const key = pendingKeys.get(request) ?? crypto.randomUUID()
  pendingKeys.set(request, key)
  return key
}

export const forgetIdempotencyKey = (request: string) => pendingKeys.delete(request)
