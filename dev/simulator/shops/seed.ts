/** What a shop begins with. Everything is computed from numbers, so a shop of any size takes no memory. */
export type Seed = {
  facts: ShopFacts
  locations: readonly LocationFacts[]
  /** How many products there are, numbered from 0. */
  products: number
  /** From this product on, ids are above 2^53. */
  hugeFrom: number
  product: (product: number) => Product
  /** What is available at the location at first; `undefined` where the item is not stocked. */
  available: (product: number, slot: number, location: number) => number | undefined
  /** Orders per day before the shop was opened, and for how many days. */
  orderDays: number
  ordersPerDay: number
}

export type ShopFacts = {
  /** The digits of its id. */
  id: string
  name: string
  email: string
  currency: string
  timeZone: string
  phone: string
  address: Address
}

export type Address = {
  address1: string
  city: string
  zip: string
  country: string
  countryCode: string
}

export type LocationFacts = {
  id: string
  name: string
  isActive: boolean
  /** Whether orders from the online shop are sent from there; the first of these is the primary one. */
  shipsInventory: boolean
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
  createdAt: string
  updatedAt: string
  variants: Variant[]
}

export type Variant = {
  /** Its place in the numbering, which stays when others are deleted. */
  slot: number
  /** Whose inventory item it uses: its own, or that of another variant of the product. */
  itemSlot: number
  /** One value for each option of the product. */
  values: string[]
  sku: string | null
  barcode: string | null
  price: string
  cost: string | null
  tracked: boolean
  policy: 'CONTINUE' | 'DENY'
  requiresShipping: boolean
  createdAt: string
  updatedAt: string
}

export const variantTitle = ({ values }: Variant) => values.join(' / ')

/** To the second, as the platform writes instants. */
export const instant = (time: Date | number) => `${new Date(time).toISOString().slice(0, 19)}Z`
