type GidType = 'Product' | 'ProductVariant' | 'Location' | 'InventoryItem' | 'Order' | 'LineItem'

/** A platform id, as in `gid://platform/Product/123`. The digits are a string: they may exceed the safe integers. */
export const makeGid = (namespace: string, type: GidType, digits: string) =>
  `gid://${namespace}/${type}/${digits}`

/** The platform id in `text`, without a query string. Null when it is none of this namespace and type. */
export function readGid(namespace: string, type: GidType, text: unknown): string | null {
  if (typeof text !== 'string') return null
  const [, digits] = /^gid:\/\/[a-z]+\/[A-Za-z]+\/([1-9]\d{0,19})(?:\?.*)?$/.exec(text) ?? []
  return digits !== undefined && text.startsWith(`gid://${namespace}/${type}/`)
    ? makeGid(namespace, type, digits)
    : null
}
