/**
 * Identifies a variant or an inventory item: the product's number in its shop, and a slot in the product that never
 * changes.
 */
export type SlotKey = { product: number; slot: number }

export type Numbering = {
  productId: (product: number) => string
  variantId: (product: number, slot: number) => string
  itemId: (product: number, slot: number) => string
  /** The inverse functions; `undefined` for ids of another numbering. */
  productNumber: (id: string) => number | undefined
  variantKey: (id: string) => SlotKey | undefined
  itemKey: (id: string) => SlotKey | undefined
}

/** Slots per product; more than a product can have variants. */
const slots = 4096
/** The first products of a shop have short ids, as old shops have. */
const shortIds = 12
const shortProduct = 1001
const shortVariant = 2001

/**
 * Computes ids from slot keys and back, so that a shop of any size needs no table of them. Ids ascend with the key.
 * From product `hugeFrom` on they exceed 2^53, as some ids of the real platform do.
 */
export function createNumbering(hugeFrom: number): Numbering {
  const products = createRange(7_810_000_000_000, 788_032_119_000_000_000n, hugeFrom)
  const variants = createRange(40_000_000_000_000, 642_667_041_000_000_000n, hugeFrom * slots)
  const items = createRange(42_000_000_000_000, 271_878_346_000_000_000n, hugeFrom * slots)
  const short = Math.min(shortIds, hugeFrom)
  const shortNumber = (id: string, first: number) => {
    const number = /^\d{4}$/.test(id) ? Number(id) - first : -1
    return number >= 0 && number < short ? number : undefined
  }
  const toKey = (number: number | undefined): SlotKey | undefined =>
    number === undefined ? undefined : { product: Math.floor(number / slots), slot: number % slots }

  return {
    productId: (product) => (product < short ? String(shortProduct + product) : products.id(product)),
    variantId: (product, slot) =>
      product < short && slot === 0 ? String(shortVariant + product) : variants.id(product * slots + slot),
    itemId: (product, slot) => items.id(product * slots + slot),
    productNumber: (id) => {
      const number = shortNumber(id, shortProduct) ?? products.number(id)
      return number !== undefined && (number >= short || id.length === 4) ? number : undefined
    },
    variantKey: (id) => {
      const product = shortNumber(id, shortVariant)
      if (product !== undefined) return { product, slot: 0 }
      const found = toKey(variants.number(id))
      return found && found.slot === 0 && found.product < short ? undefined : found
    },
    itemKey: (id) => toKey(items.number(id)),
  }
}

/** Numbers below `threshold` are added to `small`, the others to `huge`. */
function createRange(small: number, huge: bigint, threshold: number) {
  const span = 1_000_000_000_000
  return {
    id: (number: number) => String(number < threshold ? small + number : huge + BigInt(number)),
    number: (id: string): number | undefined => {
      if (!/^[1-9]\d{0,18}$/.test(id)) return undefined
      const isHuge = BigInt(id) >= huge
      const number = Number(BigInt(id) - (isHuge ? huge : BigInt(small)))
      return number >= 0 && number < span && number >= threshold === isHuge ? number : undefined
    },
  }
}
