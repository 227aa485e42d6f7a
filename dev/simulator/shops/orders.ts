import type { Catalogue } from './catalogue.ts'
import { variantTitle } from './seed.ts'
import type { LevelKey } from './stock.ts'

export type OrderLine = {
  id: string
  /** Null without a product: a tip, a custom item, a deleted product. */
  variantId: string | null
  productId: string | null
  title: string
  variantTitle: string | null
  sku: string | null
  vendor: string | null
  price: string
  quantity: number
  isGiftCard: boolean
  isTip: boolean
  requiresShipping: boolean
  /** The discount on this line, for all its units together. */
  discount: string
  /** The line's share of the order's discount code. */
  codeDiscount: string
  /** The level that the line takes from; null when no stock is tracked. */
  source: LevelKey | null
}

export const restockTypes = ['cancel', 'return', 'no_restock'] as const
export type RestockType = (typeof restockTypes)[number]

export type RefundLine = {
  id: string
  lineId: string
  quantity: number
  restockType: RestockType
  /** Whether the units had been shipped. */
  wasShipped: boolean
  /** The location that got the goods back. */
  location: number | null
}

/** Units that left the order. The platform stores those that an edit or a cancellation removed as refunds, too. */
export type Refund = {
  id: string
  createdAt: string
  note: string | null
  isPaidBack: boolean
  lines: RefundLine[]
}

export type Fulfillment = {
  id: string
  createdAt: string
  location: number | null
  lines: { lineId: string; quantity: number }[]
}

export const cancelReasons = ['customer', 'declined', 'fraud', 'inventory', 'other', 'staff'] as const
export type CancelReason = (typeof cancelReasons)[number]

export type Order = {
  /** Digits, some of them above 2^53. */
  id: string
  number: number
  createdAt: string
  /** When the customer ordered; earlier than `createdAt` when another system took the order. */
  processedAt: string
  updatedAt: string
  cancelledAt: string | null
  cancelReason: CancelReason | null
  isTest: boolean
  sourceName: 'web' | 'shopify_draft_order'
  discountCode: string | null
  lines: OrderLine[]
  refunds: Refund[]
  fulfillments: Fulfillment[]
}

/** Every tenth order has an id above 2^53. */
export const orderId = (number: number) =>
  number % 10 === 0 ? String(820_982_911_000_000_000n + BigInt(number)) : String(5_400_000_000_000 + number)

export const lineId = (order: number, index: number) =>
  order % 10 === 0
    ? String(487_817_672_000_000_000n + BigInt(order) * 100n + BigInt(index))
    : String(13_400_000_000_000 + order * 100 + index)

export const firstOrderNumber = 1001

const undiscounted = { discount: '0.00', codeDiscount: '0.00', source: null }

/** Adds what orders of earlier versions of the state file lack. */
export const completeOrder = (stored: Order): Order => ({
  ...stored,
  processedAt: stored.processedAt ?? stored.createdAt,
  cancelReason: stored.cancelReason ?? null,
  sourceName: stored.sourceName ?? 'web',
  discountCode: stored.discountCode ?? null,
  lines: stored.lines.map((line) => ({ ...undiscounted, ...line })),
  refunds: stored.refunds ?? [],
  fulfillments: stored.fulfillments ?? [],
})

/** A line for one variant with its current data; `undefined` when the variant does not exist. */
export function variantLine(
  catalogue: Catalogue,
  id: string,
  quantity: number,
): Omit<OrderLine, 'id'> | undefined {
  const key = catalogue.variantKey(id)
  const found = key && catalogue.variant(key)
  if (!found) return undefined
  const { inProduct, variant, product } = found
  return {
    variantId: id,
    productId: catalogue.productId(product),
    title: inProduct.title,
    variantTitle: inProduct.variants.length > 1 ? variantTitle(variant) : null,
    sku: variant.sku,
    vendor: inProduct.vendor,
    price: variant.price,
    quantity,
    isGiftCard: inProduct.isGiftCard,
    isTip: false,
    requiresShipping: variant.requiresShipping,
    ...undiscounted,
  }
}

export const tip = (price: string): Omit<OrderLine, 'id'> => ({
  ...customLine('Tip', price, 1),
  isTip: true,
  requiresShipping: false,
})

export const customLine = (title: string, price: string, quantity: number): Omit<OrderLine, 'id'> => ({
  variantId: null,
  productId: null,
  title,
  variantTitle: null,
  sku: null,
  vendor: null,
  price,
  quantity,
  isGiftCard: false,
  isTip: false,
  requiresShipping: true,
  ...undiscounted,
})
