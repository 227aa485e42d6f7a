import type { VariantListItem } from '../../../../../shared/schemas/variants.ts'
import type { PickedVariant } from '../picked-variant.ts'

/** A product for a new line, with the quantity that the merchant chose, or that its reorder rules suggest. */
export type ChosenVariant = PickedVariant & { quantity: number }

export const suggestedOf = ({ suggestedQuantity }: Pick<VariantListItem, 'suggestedQuantity'>) =>
  suggestedQuantity || 1

export const chosenOf = (variant: VariantListItem, quantity: number): ChosenVariant => {
  const { productId, variantId, sku, title, barcode, isTracked, currentStock, costPrice } = variant
  return { productId, variantId, sku, title, barcode, isTracked, currentStock, costPrice, quantity }
}
