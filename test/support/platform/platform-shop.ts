import { gidOf } from '../make/catalogue.ts'
import { data, type PlatformDouble, page } from './platform.ts'

type Level = { location: number; available: number; updatedAt?: string }
export type ShopVariant = {
  id: number | string
  product: number | string
  title?: string
  isTracked?: boolean
  cost?: string | null
  weightKg?: number | null
  itemUpdatedAt?: string
  levels?: Level[]
}
export type ShopOrder = {
  id: number
  createdAt: string
  /** When it was last changed; at its creation by default. */
  updatedAt?: string
  lines: { id: number; variant: number | null; quantity: number }[]
}

/** What the platform answers for a location without an address. */
export const emptyAddress = {
  ...{ address1: null, address2: null, city: null, province: null },
  ...{ zip: null, country: null, countryCode: null, phone: null },
}

/** The data of a shop on the platform; tests change it while they run. */
export type PlatformShop = {
  locations: {
    id: number
    name: string
    isActive: boolean
    address?: { [part in keyof typeof emptyAddress]: string | null }
  }[]
  primary: number
  variants: ShopVariant[]
  orders: ShopOrder[]
  facts: { name: string; email: string; currencyCode: string; ianaTimezone: string }
}

export const shopOf = (fields: Partial<PlatformShop> = {}): PlatformShop => ({
  locations: [
    { id: 1, name: 'Warehouse', isActive: true },
    { id: 2, name: 'Front', isActive: true },
  ],
  primary: 2,
  variants: [],
  orders: [],
  facts: {
    name: 'Kestrel & Vine',
    email: 'owner@kestrel.example.com',
    currencyCode: 'GBP',
    ianaTimezone: 'Europe/London',
  },
  ...fields,
})

/** Responds to all queries about a shop from this data, in pages with numeric cursors. */
export function simulateShop(platform: PlatformDouble, shop: PlatformShop): void {
  platform.on('Locations', ({ first, after }) =>
    data({
      shop: shop.facts,
      primary: { id: gidOf('Location', shop.primary) },
      locations: pageOf(shop.locations, first, after, (location) => ({
        address: emptyAddress,
        ...location,
        id: gidOf('Location', location.id),
        updatedAt: '2026-03-01T12:00:00Z',
      })),
    }),
  )
  platform.on('Variants', ({ first, after, query }) => {
    const from = BigInt(/^id:>=(\d+)$/.exec(String(query ?? ''))?.[1] ?? 0)
    const listed = shop.variants
      .filter(({ id }) => BigInt(id) >= from)
      .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
    const node = (variant: ShopVariant) => ({
      ...variantNode(variant),
      product: productNode(variant.product),
    })
    return data({ productVariants: pageOf(listed, first, after, node) })
  })
  platform.on('Product', ({ id, first, after }) => {
    const variants = shop.variants.filter(({ product }) => gidOf('Product', product) === id)
    const [firstVariant] = variants
    const node = firstVariant && {
      ...productNode(firstVariant.product),
      variants: pageOf(variants, first, after, variantNode),
    }
    return data({ product: node ?? null })
  })
  platform.on('InventoryLevels', ({ ids, first, after }) =>
    data({
      nodes: (ids as string[]).map((id) => {
        const variant = shop.variants.find((candidate) => gidOf('InventoryItem', candidate.id) === id)
        if (!variant) return null
        const { levels = [], isTracked = true } = variant
        return { id, tracked: isTracked, inventoryLevels: pageOf(levels, first, after, levelNode) }
      }),
    }),
  )
  platform.on('Orders', ({ first, after, query, lines }) => {
    const [, by, from = ''] = /^(created_at|updated_at):>='(.+)'$/.exec(String(query)) ?? []
    const instantOf = ({ createdAt, updatedAt = createdAt }: ShopOrder) =>
      Date.parse(by === 'created_at' ? createdAt : updatedAt)
    const listed = shop.orders.filter((order) => instantOf(order) >= Date.parse(from))
    return data({ orders: pageOf(listed, first, after, (order) => orderNode(order, lines)) })
  })
  platform.on('OrderLines', ({ id, first, after }) => {
    const order = shop.orders.find((candidate) => gidOf('Order', candidate.id) === id)
    return data({ order: order ? { lineItems: pageOf(order.lines, first, after, lineNode) } : null })
  })
}

function pageOf<T>(all: readonly T[], first: unknown, after: unknown, node: (item: T) => unknown) {
  const start = Number(after ?? 0)
  const end = start + Number(first)
  return page(all.slice(start, end).map(node), end < all.length ? String(end) : null)
}

const productNode = (number: number | string) => ({
  id: gidOf('Product', number),
  title: `Mug ${number}`,
  status: 'ACTIVE',
  vendor: 'Kiln & Co',
  productType: 'Mugs',
  tags: ['clay', 'gift'],
  updatedAt: '2026-03-01T12:00:00Z',
})

const variantNode = ({
  id,
  title = `Size ${id}`,
  isTracked = true,
  cost = null,
  weightKg = null,
  itemUpdatedAt = '2026-03-01T12:00:00Z',
}: ShopVariant) => ({
  id: gidOf('ProductVariant', id),
  title,
  sku: `SKU-${id}`,
  barcode: null,
  price: '9.50',
  inventoryItem: {
    id: gidOf('InventoryItem', id),
    tracked: isTracked,
    updatedAt: itemUpdatedAt,
    unitCost: cost === null ? null : { amount: cost },
    measurement: { weight: weightKg === null ? null : { value: weightKg, unit: 'KILOGRAMS' } },
  },
})

const levelNode = ({ location, available, updatedAt = '2026-03-01T12:00:00Z' }: Level) => ({
  updatedAt,
  location: { id: gidOf('Location', location) },
  quantities: [
    { name: 'available', quantity: available },
    { name: 'committed', quantity: 0 },
    { name: 'on_hand', quantity: available },
  ],
})

const orderNode = ({ id, createdAt, updatedAt = createdAt, lines }: ShopOrder, first: unknown) => ({
  id: gidOf('Order', id),
  createdAt,
  updatedAt,
  cancelledAt: null,
  test: false,
  displayFulfillmentStatus: 'UNFULFILLED',
  lineItems: pageOf(lines, first, null, lineNode),
})

const lineNode = ({ id, variant, quantity }: ShopOrder['lines'][number]) => ({
  id: gidOf('LineItem', id),
  quantity,
  currentQuantity: quantity,
  unfulfilledQuantity: quantity,
  originalUnitPriceSet: { shopMoney: { amount: '9.50' } },
  discountAllocations: [],
  variant: variant === null ? null : { id: gidOf('ProductVariant', variant) },
})
