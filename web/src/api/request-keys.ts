/** Keys of requests without a response: such a request may have worked, so its repetition sends the same key. */
const pendingKeys = new Map<string, string>()

export function idempotencyKeyFor(request: string): string {
  const key = pendingKeys.get(request) ?? crypto.randomUUID()
  pendingKeys.set(request, key)
  return key
}

export const forgetIdempotencyKey = (request: string) => pendingKeys.delete(request)
