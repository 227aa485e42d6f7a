/**
 * One key for each thing that a person does. A request that got no answer may have had its effect, so whoever makes the
 * same one again does so under the same key, and the API answers what it answered first.
 */
const unanswered = new Map<string, string>()

export function keyFor(request: string): string {
  const key = unanswered.get(request) ?? crypto.randomUUID()
  unanswered.set(request, key)
  return key
}

export const answered = (request: string) => unanswered.delete(request)
