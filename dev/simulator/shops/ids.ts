/**
 * The platform that the simulator imitates: it determines ids and headers (`gid://platform/…` with `X-Platform-…`).
 */
export type Namespace = 'platform' | 'shopify'

export type Gid = { type: string; id: string; parameters: URLSearchParams }

/** An id in the format of the API. The digits stay text, because they may exceed 2^53. */
export const makeGid = (namespace: Namespace, type: string, id: string) => `gid://${namespace}/${type}/${id}`

/** Parses an id of this platform; `undefined` when it is not one. */
export function parseGid(namespace: Namespace, text: string): Gid | undefined {
  const [, found, type, id, query] = /^gid:\/\/([^/]+)\/([A-Za-z]+)\/([^/?#]+)(?:\?(.*))?$/.exec(text) ?? []
  if (found !== namespace || type === undefined || id === undefined) return undefined
  return { type, id, parameters: new URLSearchParams(query) }
}

/** The digits of an id, which may be given as a full id or as digits. Throws on anything else. */
export function digitsOf(namespace: Namespace, type: string, text: string): string {
  if (/^\d+$/.test(text)) return text
  const gid = parseGid(namespace, text)
  if (gid?.type !== type) throw new Error(`Not the id of a ${type}: ${text}`)
  return gid.id
}
