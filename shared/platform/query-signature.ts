import type { SignatureCheck } from './hmac.ts'

/** The query of a request to which the platform redirected a browser. Every name occurs once. */
export type SignedQuery = ReadonlyMap<string, string>

/**
 * Reads a query whose `hmac` is the platform's signature: the hex HMAC-SHA256 of all other parameters, sorted by name
 * and percent-encoded. Returns null when a name occurs twice, or the signature is missing or wrong.
 */
export function readSignedQuery(search: string, hasSigned: SignatureCheck): SignedQuery | null {
  const query = readQuery(search)
  if (!query) return null
  const message = [...query]
    .filter(([name]) => name !== 'hmac')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return hasSigned(message, query.get('hmac') ?? '', 'hex') ? query : null
}

/** Returns null when a name occurs twice, because it is unknown which of the two values was signed. */
export function readQuery(search: string): SignedQuery | null {
  const pairs = [...new URLSearchParams(search)]
  const query = new Map(pairs)
  return query.size === pairs.length ? query : null
}
