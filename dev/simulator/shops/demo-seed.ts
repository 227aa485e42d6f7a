import { families, singles } from './demo-products.ts'
import { ean13 } from './generated-seed.ts'
import { between, fraction } from './random.ts'
import {
  type Address,
  instant,
  type LocationFacts,
  type Product,
  type Seed,
  type Unavailable,
  type Variant,
} from './seed.ts'

const day = 86_400_000

/** `Kestrel & Vine`: about 300 variants, one product with 120, and four locations of which one is closed. */
export function demoSeed(openedAt: Date): Seed {
  const products = [
    ...singles.map((single, index) => makeSingle(single, index, openedAt)),
    ...families.map((family, index) => makeFamily(family, singles.length + index, openedAt)),
    makeUntracked('Gift card', 'GIFT', '25.00', true, openedAt),
    makeUntracked('Gift wrapping', 'WRAP', '3.50', false, openedAt),
  ]
  return {
    facts,
    locations,
    products: products.length,
    hugeFrom: products.length - 8,
    product(product) {
      const found = products[product]
      if (!found) throw new Error(`The demo shop has no product ${product}`)
      return structuredClone(found)
    },
    available: (product, slot, location) => available(products[product]?.variants[slot], product, location),
    unavailable: (product, slot, location) =>
      products[product]?.variants[slot]?.tracked && location === 0 ? unavailable(product, slot) : {},
    orderDays: 120,
    ordersPerDay: 11,
  }
}

const bristol: Address = {
  address1: '14 Harbour Row',
  city: 'Bristol',
  zip: 'BS1 4RN',
  country: 'United Kingdom',
  countryCode: 'GB',
}

const facts = {
  id: '60548380009',
  name: 'Kestrel & Vine',
  email: 'shop@kestrel-vine.example',
  currency: 'GBP',
  taxRate: 20,
  timeZone: 'Europe/London',
  phone: '+44 117 496 0142',
  address: bristol,
}

const locations: LocationFacts[] = [
  {
    id: '65004001001',
    name: 'Harbour Row warehouse',
    isActive: true,
    shipsInventory: true,
    phone: '+44 117 496 0142',
    address: bristol,
  },
  {
    id: '65004001002',
    name: 'Shop in Clifton',
    isActive: true,
    shipsInventory: false,
    phone: '+44 117 496 0143',
    address: { ...bristol, address1: '3 Princess Parade', zip: 'BS8 4AX' },
  },
  {
    id: '655441491000001217',
    name: 'Bath market stall',
    isActive: true,
    shipsInventory: false,
    phone: '+44 1225 496 014',
    address: { ...bristol, address1: 'Green Park', city: 'Bath', zip: 'BA1 1JB' },
  },
  {
    id: '65004001004',
    name: 'Old storeroom (closed)',
    isActive: false,
    shipsInventory: false,
    phone: '+44 117 496 0144',
    address: { ...bristol, address1: '9 Quay Lane' },
  },
]

/** The warehouse stocks nearly all items, the shop most, the stall few; some are sold out, some oversold. */
function available(variant: Variant | undefined, product: number, location: number): number | undefined {
  if (!variant || location === 3) return undefined
  const seeds = [21, product, variant.slot, location]
  if (!variant.tracked) return location === 0 ? 0 : undefined
  if (location === 2 && fraction(22, ...seeds) < 0.7) return undefined
  if (location === 1 && fraction(22, ...seeds) < 0.2) return undefined
  if (location !== 0) return between(0, 24, ...seeds)
  if (fraction(23, ...seeds) < 0.06) return 0
  if (variant.policy === 'CONTINUE' && fraction(24, ...seeds) < 0.3) return -between(1, 4, ...seeds)
  return between(2, 180, ...seeds)
}

/** Some goods in the warehouse are damaged, and of some products a few pieces are held back. */
function unavailable(product: number, slot: number): Partial<Unavailable> {
  return {
    ...(fraction(25, product, slot) < 0.06 && { damaged: between(1, 3, 26, product, slot) }),
    ...(fraction(27, product, slot) < 0.04 && { safety_stock: 5 }),
  }
}

type Facts = Pick<Product, 'title' | 'vendor' | 'productType' | 'options'>

function makeProduct(facts: Facts, number: number, openedAt: Date, variants: Variant[]): Product {
  return {
    ...facts,
    handle: `product-${number + 1}`,
    status: 'ACTIVE',
    isGiftCard: false,
    tags: [facts.productType.toLowerCase(), ...(between(0, 4, 36, number) === 0 ? ['seasonal'] : [])],
    createdAt: instant(openedAt.getTime() - between(200, 900, 31, number) * day),
    updatedAt: instant(openedAt.getTime() - between(1, 150, 32, number) * day),
    variants,
  }
}

type VariantInput = { slot: number; values: string[]; sku: string; price: number; cost: number }

function makeVariant(product: number, openedAt: Date, { cost, price, ...input }: VariantInput): Variant {
  return {
    ...input,
    itemSlot: input.slot,
    barcode: fraction(33, product, input.slot) < 0.1 ? null : ean13(product * 200 + input.slot),
    price: price.toFixed(2),
    cost: cost.toFixed(2),
    tracked: true,
    policy: fraction(34, product) < 0.15 ? 'CONTINUE' : 'DENY',
    requiresShipping: true,
    weight: between(2, 60, 36, product) / 20,
    createdAt: instant(openedAt.getTime() - between(200, 900, 31, product) * day),
    updatedAt: instant(openedAt.getTime() - between(1, 150, 35, product, input.slot) * day),
  }
}

function makeSingle(single: (typeof singles)[number], number: number, openedAt: Date): Product {
  const [sku, title, vendor, productType, price, cost] = single
  const input = { slot: 0, values: ['Default Title'], sku, price: Number(price), cost: Number(cost) }
  const variants = [makeVariant(number, openedAt, input)]
  return makeProduct({ title, vendor, productType, options: ['Title'] }, number, openedAt, variants)
}

function makeFamily(family: (typeof families)[number], number: number, openedAt: Date): Product {
  const { stem, title, vendor, type, price, cost, options } = family
  const combinations = Object.values(options).reduce<string[][]>(
    (done, values) => done.flatMap((before) => values.map((value) => [...before, value])),
    [[]],
  )
  const variants = combinations.map((values, slot) => {
    const sku = [stem, ...values.map((value) => value.slice(0, 4).toUpperCase().replace(/\s/g, ''))].join('-')
    return makeVariant(number, openedAt, { slot, values, sku, price: price + (slot % 2) * 2, cost })
  })
  const facts = { title, vendor, productType: type, options: Object.keys(options) }
  return makeProduct(facts, number, openedAt, variants)
}

function makeUntracked(
  title: string,
  sku: string,
  price: string,
  isGiftCard: boolean,
  openedAt: Date,
): Product {
  const single = makeSingle(
    [sku, title, 'Kestrel & Vine', 'Services', price, '0'],
    900 + sku.length,
    openedAt,
  )
  const variants = single.variants.map((variant) => ({
    ...variant,
    sku: isGiftCard ? null : sku,
    barcode: null,
    cost: null,
    tracked: false,
    weight: null,
    requiresShipping: false,
  }))
  return { ...single, handle: sku.toLowerCase(), isGiftCard, variants }
}
