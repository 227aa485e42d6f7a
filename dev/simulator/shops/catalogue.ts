import { createNumbering, type Numbering, type SlotKey } from './numbering.ts'
import type { Product, Seed, Variant } from './seed.ts'

export type FoundVariant = SlotKey & { variant: Variant; inProduct: Product }

/** The products of a shop: those of its seed, with all later changes. */
export type Catalogue = Numbering & {
  /** The highest product number plus one; lower numbers may be deleted. */
  end: () => number
  product: (number: number) => Product | undefined
  variant: (key: SlotKey) => FoundVariant | undefined
  /** The variants that use an inventory item; empty when the item does not exist. */
  variantsOfItem: (key: SlotKey) => FoundVariant[]
  save: (number: number, product: Product) => void
  add: (product: Product) => number
  remove: (number: number) => void
}

/** Differences from the seed; `null` is a deleted product. */
export type ChangedProducts = Map<number, Product | null>

export function createCatalogue(seed: Seed, changed: ChangedProducts): Catalogue {
  const numbering = createNumbering(seed.hugeFrom)
  let last: { number: number; product: Product } | undefined
  let end = seed.products
  for (const number of changed.keys()) end = Math.max(end, number + 1)

  function product(number: number): Product | undefined {
    const found = changed.get(number)
    if (found !== undefined) return found ?? undefined
    if (number < 0 || number >= seed.products) return undefined
    // Callers usually read all variants of a product in a row, so cache the last product.
    if (last?.number !== number) last = { number, product: seed.product(number) }
    return last.product
  }

  const variantsWhere = (key: SlotKey, matches: (variant: Variant) => boolean): FoundVariant[] => {
    const inProduct = product(key.product)
    return (inProduct?.variants ?? [])
      .filter(matches)
      .flatMap((variant) =>
        inProduct ? [{ product: key.product, slot: variant.slot, variant, inProduct }] : [],
      )
  }

  return {
    ...numbering,
    end: () => end,
    product,
    variant: (key) => variantsWhere(key, ({ slot }) => slot === key.slot)[0],
    variantsOfItem: (key) => variantsWhere(key, ({ itemSlot }) => itemSlot === key.slot),
    save: (number, saved) => changed.set(number, saved),
    add(added) {
      changed.set(end, added)
      end += 1
      return end - 1
    },
    remove: (number) => changed.set(number, null),
  }
}
