/** The types of platform ids that we store. */
export type GidType = 'Product' | 'ProductVariant' | 'Location' | 'InventoryItem' | 'Order' | 'LineItem'

/** A platform id, as in `gid://platform/Product/123`. The digits stay text: they may exceed what a number holds. */
export const makeGid = (namespace: string, type: GidType, digits: string) =>
  `gid://${namespace}/${type}/${digits}`

/** The id when it is one of this namespace and type, else null. */
export function readGid(namespace: string, type: GidType, text: unknown): string | null {
  if (typeof text !== 'string') return null
  const [, digits] = /^gid:\/\/[a-z]+\/[A-Za-z]+\/([1-9]\d{0,19})(?:\?.*)?$/.exec(text) ?? []
  return digits !== undefined && text.startsWith(`gid://${namespace}/${type}/`)
    ? makeGid(namespace, type, digits)
    : null
}
