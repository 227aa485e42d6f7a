import { createNumbering, type Numbering, type Place } from './numbering.ts'
import type { Product, Seed, Variant } from './seed.ts'

export type FoundVariant = Place & { variant: Variant; inProduct: Product }

/** The products of a shop: those that it was opened with, as they were changed since. */
export type Catalogue = Numbering & {
  /** One more than the highest number of a product; some below it may be deleted. */
  end: () => number
  product: (number: number) => Product | undefined
  variant: (place: Place) => FoundVariant | undefined
  /** The variants that use an inventory item; none when there is no such item. */
  variantsOfItem: (place: Place) => FoundVariant[]
  save: (number: number, product: Product) => void
  add: (product: Product) => number
  remove: (number: number) => void
}

/** What differs from the seed: `null` is a product that was deleted. */
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
    // Whoever reads one variant of a product reads its neighbours next.
    if (last?.number !== number) last = { number, product: seed.product(number) }
    return last.product
  }

  const variantsWhere = (place: Place, isWanted: (variant: Variant) => boolean): FoundVariant[] => {
    const inProduct = product(place.product)
    return (inProduct?.variants ?? [])
      .filter(isWanted)
      .flatMap((variant) =>
        inProduct ? [{ product: place.product, slot: variant.slot, variant, inProduct }] : [],
      )
  }

  return {
    ...numbering,
    end: () => end,
    product,
    variant: (place) => variantsWhere(place, ({ slot }) => slot === place.slot)[0],
    variantsOfItem: (place) => variantsWhere(place, ({ itemSlot }) => itemSlot === place.slot),
    save: (number, saved) => changed.set(number, saved),
    add(added) {
      changed.set(end, added)
      end += 1
      return end - 1
    },
    remove: (number) => changed.set(number, null),
  }
}
