import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { gidOf } from '../make/catalogue.ts'
import { interceptRequests } from './intercept.ts'

/** Status, body and headers of a response. */
export type Reply = [status: number, body?: unknown, headers?: Record<string, string>]
type Variables = Record<string, unknown>
type Handler = (variables: Variables, call: number) => Reply | Promise<Reply>

export type AdminRequest = { operation: string; variables: Variables; token: string }

/** A mocked platform of one shop: a handler per operation, and the received requests. */
export type PlatformDouble = {
  /** Sets the handler of an operation; `call` counts its requests from 1. */
  on: (operation: string, handler: Handler) => void
  /** The current handler of an operation, for tests that wrap it. */
  handler: (operation: string) => Handler
  requests: AdminRequest[]
  /** The variables of the received requests of an operation. */
  variablesOf: (operation: string) => Variables[]
}

export const data = (body: unknown): Reply => [200, { data: body }]

/** The platform's response to a request that exceeds the rate limit. */
export const throttled = (requestedQueryCost: number, currentlyAvailable: number): Reply => [
  200,
  {
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
    extensions: {
      cost: {
        requestedQueryCost,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable, restoreRate: 100 },
      },
    },
  },
]

/** A page of a connection. */
export const page = (nodes: unknown[], endCursor: string | null = null) => ({
  nodes,
  pageInfo: { hasNextPage: endCursor !== null, endCursor },
})

/** The handlers and requests of one platform, and the response to a request. */
function createDouble() {
  const handlers = new Map<string, Handler>()
  const requests: AdminRequest[] = []
  const variablesOf = (name: string) =>
    requests.filter(({ operation }) => operation === name).map(({ variables }) => variables)
  const double: PlatformDouble = {
    on: (operation, handler) => void handlers.set(operation, handler),
    handler: (operation) => handlers.get(operation) ?? (() => [400]),
    requests,
    variablesOf,
  }
  const respond = async (text: string, token: string): Promise<[number, string, Record<string, string>]> => {
    const { query, variables }: { query: string; variables: Variables } = JSON.parse(text)
    const operation = /^(?:query|mutation) (\w+)/m.exec(query)?.[1] ?? ''
    requests.push({ operation, variables, token })
    const handler = handlers.get(operation)
    if (!handler) return [400, `Unexpected operation ${operation}`, {}]
    const [status, body = '', headers = {}] = await handler(variables, variablesOf(operation).length)
    return [status, typeof body === 'string' ? body : JSON.stringify(body), headers]
  }
  return { double, respond }
}

/** Handles requests to the shop's GraphQL endpoint with the test's handlers, and blocks those to other hosts. */
export function mockPlatform(t: Test, shopDomain: string): PlatformDouble {
  const { double, respond } = createDouble()
  interceptRequests(t)(`https://${shopDomain}`)
    .persist()
    .post('/admin/api/2026-07/graphql.json')
    .reply(async (request: Request) =>
      respond(await request.text(), request.headers.get('x-platform-access-token') ?? ''),
    )
  return double
}

/** A `mockPlatform` for separate processes, on a local socket. */
export async function servePlatform(t: Test): Promise<PlatformDouble & { url: string }> {
  const { double, respond } = createDouble()
  const server = createServer(async (request, response) => {
    const token = String(request.headers['x-platform-access-token'] ?? '')
    const [status, body, headers] = await respond(await text(request), token)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { ...double, url: `http://127.0.0.1:${port}/graphql.json` }
}

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
  featuredImage: { url: `https://pictures.example/${number}.jpg?v=1` },
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
  processedAt: createdAt,
  updatedAt,
  cancelledAt: null,
  test: false,
  taxesIncluded: true,
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
  taxLines: [],
  variant: variant === null ? null : { id: gidOf('ProductVariant', variant) },
})

type StoredLevel = { available: number; updatedAt: string }
type ChangeLine = {
  inventoryItemId: string
  locationId: string
  changeFromQuantity: number | null
  delta?: number
  quantity?: number
}

/**
 * The stock of a shop on the mocked platform, with its own clock. Level keys are `variant/location`, as in `1/2`.
 */
export type StockPlatform = {
  levels: Map<string, StoredLevel>
  /** Advances the clock by two seconds: the platform's times have seconds, and no two events share one. */
  tick: () => string
  /** Sells on the platform. */
  sell: (levelKey: string, quantity: number) => void
  /** Executes a mutation once per idempotency key, as the real platform does. */
  change: (document: string, variables: Record<string, unknown>) => Reply
}

/** Handles stock queries and mutations by the rules of the real platform, on `levels`. */
export function simulateStock(
  platform: PlatformDouble,
  levelKeys: readonly string[],
  available: number,
  /** Called for each change, as the platform's webhook would report it. */
  report: (levelKey: string, level: StoredLevel) => void,
): StockPlatform {
  let seconds = 0
  const tick = () => {
    seconds += 2
    return new Date(Date.UTC(2026, 10, 2) + seconds * 1000).toISOString()
  }
  const levels = new Map(levelKeys.map((levelKey) => [levelKey, { available, updatedAt: tick() }]))
  const responses = new Map<string, Reply>()

  const levelAt = (levelKey: string) => {
    const level = levels.get(levelKey)
    if (!level) throw new Error(`The platform has no level ${levelKey}`)
    return level
  }
  const levelKeyOf = ({ inventoryItemId, locationId }: ChangeLine) =>
    `${/\d+$/.exec(inventoryItemId)?.[0]}/${/\d+$/.exec(locationId)?.[0]}`
  const put = (levelKey: string, quantity: number, updatedAt: string) => {
    const level = { available: quantity, updatedAt }
    levels.set(levelKey, level)
    report(levelKey, level)
  }

  const change: StockPlatform['change'] = (document, variables) => {
    const { key, input } = variables as {
      key: string
      input: { changes?: ChangeLine[]; quantities?: ChangeLine[] }
    }
    const stored = responses.get(key)
    if (stored) return stored
    const lines = input.changes ?? input.quantities ?? []
    const field = document === 'adjust-quantities' ? 'inventoryAdjustQuantities' : 'inventorySetQuantities'
    const stale = lines.flatMap((line, at) =>
      line.changeFromQuantity === null || line.changeFromQuantity === levelAt(levelKeyOf(line)).available
        ? []
        : [
            {
              code: 'CHANGE_FROM_QUANTITY_STALE',
              field: ['input', 'quantities', String(at)],
              message: 'Stale',
            },
          ],
    )
    const respond = (group: unknown, userErrors: unknown[]) =>
      data({ [field]: { inventoryAdjustmentGroup: group, userErrors } })
    if (stale.length > 0) {
      const refusal = respond(null, stale)
      responses.set(key, refusal)
      return refusal
    }
    const createdAt = tick()
    const changes = lines.map((line) => {
      const levelKey = levelKeyOf(line)
      const after = line.quantity ?? levelAt(levelKey).available + (line.delta ?? 0)
      put(levelKey, after, createdAt)
      const { inventoryItemId, locationId } = line
      return {
        name: 'available',
        quantityAfterChange: after,
        item: { id: inventoryItemId },
        location: { id: locationId },
      }
    })
    const response = respond({ createdAt, changes }, [])
    responses.set(key, response)
    return response
  }

  platform.on('AdjustQuantities', (variables) => change('adjust-quantities', variables))
  platform.on('SetQuantities', (variables) => change('set-quantities', variables))
  platform.on('InventoryLevels', ({ ids }) =>
    data({
      nodes: (ids as string[]).map((id) => ({
        id,
        tracked: true,
        inventoryLevels: {
          nodes: [...levels]
            .filter(([levelKey]) => gidOf('InventoryItem', levelKey.split('/')[0] ?? '') === id)
            .map(([levelKey, level]) => ({
              updatedAt: level.updatedAt,
              location: { id: gidOf('Location', levelKey.split('/')[1] ?? '') },
              // what this platform sells, it ships at once
              quantities: [
                { name: 'available', quantity: level.available },
                { name: 'committed', quantity: 0 },
                { name: 'on_hand', quantity: level.available },
              ],
            })),
          pageInfo: { hasNextPage: false, endCursor: null },
        },
      })),
    }),
  )

  return {
    levels,
    tick,
    change,
    sell: (levelKey, quantity) => put(levelKey, levelAt(levelKey).available - quantity, tick()),
  }
}
