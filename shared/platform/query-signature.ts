import type { SignatureCheck } from './hmac.ts'

/** The query of a request that the platform has sent somebody to us with. Every name occurs once. */
export type SignedQuery = ReadonlyMap<string, string>

/**
 * Reads a query that the platform has signed: the hex HMAC-SHA256 of all other parameters, sorted by name and
 * percent-encoded. Answers null when a name occurs twice, or the signature is missing or not right.
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

/** Null when a name occurs twice: which of the two was signed would be a guess. */
export function readQuery(search: string): SignedQuery | null {
  const pairs = [...new URLSearchParams(search)]
  const query = new Map(pairs)
  return query.size === pairs.length ? query : null
}
