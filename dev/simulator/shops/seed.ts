/** The initial data of a shop. It is computed from numbers, so a shop of any size uses no memory. */
export type Seed = {
  facts: ShopFacts
  locations: readonly LocationFacts[]
  /** The number of products; they are numbered from 0. */
  products: number
  /** From this product on, ids are above 2^53. */
  hugeFrom: number
  product: (product: number) => Product
  /** The initial quantity at a location; `undefined` where the item is not stocked. */
  available: (product: number, slot: number, location: number) => number | undefined
  /** The initial goods on the shelf that cannot be sold; none by default. */
  unavailable?: (product: number, slot: number, location: number) => Partial<Unavailable>
  /** Orders per day in the history, and its number of days. */
  orderDays: number
  ordersPerDay: number
}

/** Pieces per state of goods that are on hand and cannot be sold. */
export type Unavailable = Record<'damaged' | 'quality_control' | 'safety_stock' | 'reserved', number>

export type ShopFacts = {
  /** The digits of its id. */
  id: string
  name: string
  email: string
  currency: string
  /** In percent, which the prices include; without it, no order has tax. */
  taxRate?: number
  timeZone: string
  phone: string
  address: Address
}

export type Address = {
  address1: string
  address2?: string
  city: string
  province?: string
  provinceCode?: string
  zip: string
  country: string
  countryCode: string
}

export type LocationFacts = {
  id: string
  name: string
  isActive: boolean
  /** True when the location ships online orders; the first such location is the primary one. */
  shipsInventory: boolean
  phone: string
  address: Address
}

export type Product = {
  title: string
  vendor: string
  productType: string
  handle: string
  status: 'ACTIVE' | 'ARCHIVED' | 'DRAFT'
  isGiftCard: boolean
  options: string[]
  tags: string[]
  createdAt: string
  updatedAt: string
  /** The address of its picture; null: none. Absent: one that the simulator serves, or none for every fifth product. */
  picture?: string | null
  variants: Variant[]
}

export type Variant = {
  /** Its number in the product, which stays the same when other variants are deleted. */
  slot: number
  /** The slot of its inventory item: its own, or that of another variant of the product. */
  itemSlot: number
  /** One value per option of the product. */
  values: string[]
  sku: string | null
  barcode: string | null
  price: string
  cost: string | null
  tracked: boolean
  policy: 'CONTINUE' | 'DENY'
  requiresShipping: boolean
  /** In kilograms; absent: none. */
  weight?: number | null
  createdAt: string
  updatedAt: string
  /** When its inventory item changed and the variant did not. */
  itemUpdatedAt?: string
}

export const variantTitle = ({ values }: Variant) => values.join(' / ')

/** Formats an instant to the second, as the platform does. */
export const instant = (time: Date | number) => `${new Date(time).toISOString().slice(0, 19)}Z`
