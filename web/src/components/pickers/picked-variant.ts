export type PickedVariant = {
  productId: string
  variantId: string
  sku: string
  title: string
  barcode: string
  isTracked: boolean
  currentStock: number | null
  /** The cost of a new order line; null when none is known. */
  costPrice: number | null
}
