import type { ChosenVariant } from '../../../components/pickers/browse/chosen.ts'
import type { PickedVariant } from '../../../components/pickers/picked-variant.ts'
import { type DraftLine, nextKey } from './draft.ts'

export type AddedLine = {
  variant: Omit<PickedVariant, 'isTracked' | 'currentStock' | 'barcode'>
  quantity: number
  /** `''` takes the price of the supplier's catalogue for a new line. */
  costPrice: number | ''
}

/** The price is that of the supplier's catalogue. */
export const addedOf = (chosen: readonly ChosenVariant[]): AddedLine[] =>
  chosen.map(({ quantity, ...variant }) => ({ variant, quantity, costPrice: '' }))

/** Adds lines to a draft. If the order has a line of the product already, its quantity increases. */
export function withAdded(lines: readonly DraftLine[], added: readonly AddedLine[]): DraftLine[] {
  const result = [...lines]
  for (const { variant, quantity, costPrice } of added) {
    const index = result.findIndex(({ variantId }) => variantId === variant.variantId)
    const line = result[index]
    if (line) {
      const cost = costPrice === '' ? line.costPrice : costPrice
      result[index] = { ...line, quantity: Number(line.quantity) + quantity, costPrice: cost }
    } else {
      const { productId, variantId, sku, title } = variant
      const product = { key: nextKey(), id: undefined, productId, variantId, sku, title }
      const expectedCost = variant.costPrice ?? undefined
      result.push({
        ...product,
        quantity,
        costPrice: costPrice === '' ? undefined : costPrice,
        expectedCost,
      })
    }
  }
  return result
}
