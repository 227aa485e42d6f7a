import type { PickedVariant } from '../../../components/pickers/variant-picker.tsx'
import { type DraftLine, nextKey } from './draft.ts'

export type Added = { variant: Omit<PickedVariant, 'currentStock'>; quantity: number; costPrice: number | '' }

/** Lines with more of a product: one that is on the order already gets more pieces, so that it stays one line. */
export function withAdded(lines: readonly DraftLine[], added: readonly Added[]): DraftLine[] {
  const result = [...lines]
  for (const { variant, quantity, costPrice } of added) {
    const at = result.findIndex(({ variantId }) => variantId === variant.variantId)
    const line = result[at]
    if (line) {
      const cost = costPrice === '' ? line.costPrice : costPrice
      result[at] = { ...line, quantity: Number(line.quantity) + quantity, costPrice: cost }
    } else {
      const { productId, variantId, sku, title } = variant
      result.push({ key: nextKey(), id: undefined, productId, variantId, sku, title, quantity, costPrice })
    }
  }
  return result
}
