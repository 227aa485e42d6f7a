/** Which platform the simulator is: it names ids and headers (`gid://platform/…` with `X-Platform-…`). */
export type Namespace = 'platform' | 'shopify'

export type Gid = { type: string; id: string; parameters: URLSearchParams }

/** An id as the API writes it. The digits stay text: they may be more than a number holds. */
export const makeGid = (namespace: Namespace, type: string, id: string) => `gid://${namespace}/${type}/${id}`

/** Reads an id of this platform; `undefined` when it is none. */
export function parseGid(namespace: Namespace, text: string): Gid | undefined {
  const [, found, type, id, query] = /^gid:\/\/([^/]+)\/([A-Za-z]+)\/([^/?#]+)(?:\?(.*))?$/.exec(text) ?? []
  if (found !== namespace || type === undefined || id === undefined) return undefined
  return { type, id, parameters: new URLSearchParams(query) }
}

/** The digits of an id that is given whole or as its digits alone. Throws when it is neither. */
export function digitsOf(namespace: Namespace, type: string, text: string): string {
  if (/^\d+$/.test(text)) return text
  const gid = parseGid(namespace, text)
  if (gid?.type !== type) throw new Error(`Not the id of a ${type}: ${text}`)
  return gid.id
}
