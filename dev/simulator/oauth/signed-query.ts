import { createHmac } from 'node:crypto'

/**
 * Adds the `hmac` to a query: hexadecimal HMAC-SHA256 over all other parameters, sorted by name and
 * percent-encoded.
 */
export function signQuery(parameters: Readonly<Record<string, string>>, secret: string): string {
  const message = Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  const hmac = createHmac('sha256', secret).update(message).digest('hex')
  return `${message}&hmac=${hmac}`
}
