import type { SignatureCheck } from './hmac.ts'

export type SignedQuery = ReadonlyMap<string, string>

/** `hmac`: hex HMAC-SHA256 of the other parameters, sorted and encoded. Null when a name is repeated or it is wrong. */
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
