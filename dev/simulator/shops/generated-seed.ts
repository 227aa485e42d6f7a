import { between, fraction } from './random.ts'
import { instant, type LocationFacts, type Product, type Seed, type ShopFacts, type Variant } from './seed.ts'

export type GeneratedShop = {
  products: number
  /** 1 by default. */
  variantsPerProduct?: number
  /** Number of active locations; 1 by default. */
  locations?: number
  ordersPerDay?: number
  orderDays?: number
  name?: string
  currency?: string
  taxRate?: number
  timeZone?: string
}

const day = 86_400_000

/** A shop of any size, computed on demand: every item is tracked and stocked at every location. */
export function generateSeed(shop: GeneratedShop, domain: string, openedAt: Date): Seed {
  const { products, variantsPerProduct = 1, locations = 1, ordersPerDay = 0, orderDays = 120 } = shop
  const key = [...domain].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_000_007, 7)
  const facts: ShopFacts = {
    id: String(60_000_000_000 + key),
    name: shop.name ?? domain.split('.')[0] ?? domain,
    email: `shop@${domain}`,
    currency: shop.currency ?? 'USD',
    ...(shop.taxRate !== undefined && { taxRate: shop.taxRate }),
    timeZone: shop.timeZone ?? 'UTC',
    phone: '',
    address: {
      address1: '1 Main Street',
      city: 'Springfield',
      zip: '00001',
      country: 'United States',
      countryCode: 'US',
    },
  }
  return {
    facts,
    locations: Array.from({ length: locations }, (_, index) => makeLocation(facts, index)),
    products,
    hugeFrom: Math.floor(products * 0.9),
    product: (product) => makeProduct(product, variantsPerProduct, openedAt),
    available: (product, slot, location) => between(0, 200, 11, product, slot, location),
    orderDays,
    ordersPerDay,
  }
}

const makeLocation = (facts: ShopFacts, index: number): LocationFacts => ({
  id: String(65_000_000_000 + (Number(facts.id) % 1_000_000_000) * 10 + index),
  name: index === 0 ? 'Main warehouse' : `Store ${index}`,
  isActive: true,
  shipsInventory: index === 0,
  phone: '',
  address: facts.address,
})

function makeProduct(product: number, variants: number, openedAt: Date): Product {
  const createdAt = instant(openedAt.getTime() - between(200, 900, 12, product) * day)
  const updatedAt = instant(openedAt.getTime() - between(1, 199, 13, product) * day)
  return {
    title: `Product ${product + 1}`,
    vendor: `Vendor ${between(1, 40, 14, product)}`,
    productType: `Type ${between(1, 12, 15, product)}`,
    handle: `product-${product + 1}`,
    status: 'ACTIVE',
    isGiftCard: false,
    options: variants === 1 ? ['Title'] : ['Option'],
    tags: [`season-${between(1, 4, 17, product)}`],
    createdAt,
    updatedAt,
    variants: Array.from(
      { length: variants },
      (_, slot): Variant => ({
        slot,
        itemSlot: slot,
        values: [variants === 1 ? 'Default Title' : `Option ${slot + 1}`],
        sku: `SKU-${product + 1}-${slot + 1}`,
        barcode: ean13(product * 4096 + slot),
        price: (1 + fraction(16, product, slot) * 99).toFixed(2),
        cost: (0.5 + fraction(16, product, slot) * 40).toFixed(2),
        tracked: true,
        policy: 'DENY',
        requiresShipping: true,
        weight: between(1, 40, 18, product, slot) / 10,
        createdAt,
        updatedAt,
      }),
    ),
  }
}

/** An EAN-13 of the range for use inside a shop, with its check digit. */
export function ean13(number: number): string {
  const digits = `20${String(number % 10_000_000_000).padStart(10, '0')}`
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
  return `${digits}${(10 - (sum % 10)) % 10}`
}
