import type { FoundVariant } from '../shops/catalogue.ts'
import type { Order } from '../shops/orders.ts'
import type { Product } from '../shops/seed.ts'
import type { Shop } from '../shops/shop.ts'
import type { Subscription } from '../webhooks/subscriptions.ts'
import { allVariants, productNumbers } from './catalogue-views.ts'
import { connection, countOf, filtered, listed, type PageArgs, padded } from './listing.ts'
import { findNode, requireScope, visibleOrders } from './nodes.ts'
import { readSearch, type SearchFields } from './search.ts'
import { installationView, shopView } from './shop-views.ts'
import { allItems, itemOf } from './stock-views.ts'
import { fail, type View, type ViewContext } from './view.ts'

type SearchArgs = PageArgs & { query?: string; sortKey?: string }
type CountArgs = { query?: string; limit: number }
type IdArgs = { id: string }

/** The query fields for one app in one shop. */
export function createQueryRoot(context: ViewContext, apiKey: string): View {
  const { shop, views } = context
  const byId = (type: string) => (args: IdArgs) => findNode(context, args.id, type)

  return {
    shop: () => shopView(context),
    currentAppInstallation: () => installationView(context, apiKey),
    node: ({ id }: IdArgs) => findNode(context, id),
    nodes({ ids }: { ids: string[] }) {
      requireMaxSize(ids)
      return ids.map((id) => findNode(context, id))
    },
    product: byId('Product'),
    productVariant: byId('ProductVariant'),
    inventoryItem: byId('InventoryItem'),
    inventoryLevel: byId('InventoryLevel'),
    order: byId('Order'),
    refund: byId('Refund'),
    fulfillment: byId('Fulfillment'),
    webhookSubscription: byId('WebhookSubscription'),
    location: ({ id }: { id?: string }) =>
      id == null
        ? views.location(shop.locations.findIndex(({ shipsInventory }) => shipsInventory))
        : findNode(context, id, 'Location'),
    locations(args: SearchArgs & { includeInactive: boolean }) {
      requireScope(context, 'Location')
      const indexes = [...shop.locations.keys()].filter(
        (index) =>
          !shop.locations[index]?.isDeleted && (args.includeInactive || shop.locations[index]?.isActive),
      )
      const keyOf = (index: number) => {
        const { id = '', name = '' } = shop.locations[index] ?? {}
        return `${args.sortKey === 'ID' ? '' : name}|${padded(id)}`
      }
      return connection(args, listed(indexes, keyOf), views.location)
    },
    products(args: SearchArgs) {
      requireScope(context, 'Product')
      return connection(args, searchProducts(shop, args), views.product)
    },
    productsCount(args: CountArgs) {
      requireScope(context, 'Product')
      return countOf(searchProducts(shop, args), args.limit)
    },
    productVariants(args: SearchArgs) {
      requireScope(context, 'ProductVariant')
      return connection(args, searchVariants(shop, args), views.variant)
    },
    productVariantsCount(args: CountArgs) {
      requireScope(context, 'ProductVariant')
      return countOf(searchVariants(shop, args), args.limit)
    },
    inventoryItems(args: SearchArgs) {
      requireScope(context, 'InventoryItem')
      const matches = readSearch(args.query, itemFields(shop))
      return connection(args, filtered(allItems(shop), matches), (found) => views.item(itemOf(found)))
    },
    orders(args: SearchArgs) {
      requireScope(context, 'Order')
      const found = visibleOrders(context).filter(readSearch(args.query, orderFields))
      const listing = listed(found, (order) =>
        args.sortKey === 'ID'
          ? padded(order.id)
          : `${orderInstant(order, args.sortKey)}|${padded(order.number)}`,
      )
      return connection(args, listing, views.order)
    },
    webhookSubscriptions(args: SubscriptionArgs) {
      const found = shop.subscriptions().filter((subscription) => matchesFilter(args, subscription))
      return connection(
        args,
        listed(found, ({ id }) => padded(id)),
        views.subscription,
      )
    },
  }
}

const orderInstant = ({ createdAt, processedAt, updatedAt }: Order, sortKey = 'PROCESSED_AT') =>
  ({ UPDATED_AT: updatedAt, PROCESSED_AT: processedAt })[sortKey] ?? createdAt

type SubscriptionArgs = PageArgs & { topics?: string[]; uri?: string; callbackUrl?: string; format?: string }

const matchesFilter = (args: SubscriptionArgs, { topic, address, format }: Subscription) =>
  (args.topics == null || args.topics.length === 0 || args.topics.includes(topic)) &&
  (args.uri ?? address) === address &&
  (args.callbackUrl ?? address) === address &&
  (args.format ?? format) === format

/** Throws when a list argument has more than 250 items. */
export function requireMaxSize(list: readonly unknown[]): void {
  if (list.length <= 250) return
  throw fail(
    'MAX_INPUT_SIZE_EXCEEDED',
    `The input array size of ${list.length} is greater than the maximum allowed of 250.`,
  )
}

type NumberedProduct = { number: number; product: Product | undefined }

function searchProducts(shop: Shop, { query, sortKey }: { query?: string; sortKey?: string }) {
  const read = (number: number): NumberedProduct => ({ number, product: shop.catalogue.product(number) })
  const matches = readSearch<NumberedProduct>(query, {
    id: ({ number }) => shop.catalogue.productId(number),
    title: ({ product }) => product?.title ?? null,
    vendor: ({ product }) => product?.vendor ?? null,
    status: ({ product }) => product?.status ?? null,
    created_at: ({ product }) => product?.createdAt ?? null,
    updated_at: ({ product }) => product?.updatedAt ?? null,
  })
  const found = filtered(productNumbers(shop), (number) => matches(read(number)))
  if (sortKey === undefined || sortKey === 'ID') return found
  const keyOf = (number: number) => {
    const { product } = read(number)
    const value = { TITLE: product?.title, CREATED_AT: product?.createdAt, UPDATED_AT: product?.updatedAt }
    return `${value[sortKey as keyof typeof value] ?? ''}|${padded(number)}`
  }
  return listed(
    [...found(undefined, false)].map(([, number]) => number),
    keyOf,
  )
}

function searchVariants(shop: Shop, { query, sortKey }: { query?: string; sortKey?: string }) {
  if (sortKey === 'POSITION')
    throw fail('BAD_REQUEST', 'The simulator sorts the variants of a shop by ID only')
  const matches = readSearch<FoundVariant>(query, {
    id: ({ product, slot }) => shop.catalogue.variantId(product, slot),
    product_id: ({ product }) => shop.catalogue.productId(product),
    sku: ({ variant }) => variant.sku,
    barcode: ({ variant }) => variant.barcode,
    updated_at: ({ variant }) => variant.updatedAt,
  })
  return filtered(allVariants(shop), matches)
}

const itemFields = (shop: Shop): SearchFields<FoundVariant> => ({
  id: ({ product, variant }) => shop.catalogue.itemId(product, variant.itemSlot),
  sku: ({ variant }) => variant.sku,
  updated_at: ({ variant }) => variant.itemUpdatedAt ?? variant.updatedAt,
})

const orderFields: SearchFields<Order> = {
  id: ({ id }) => id,
  name: ({ number }) => `#${number}`,
  created_at: ({ createdAt }) => createdAt,
  processed_at: ({ processedAt }) => processedAt,
  updated_at: ({ updatedAt }) => updatedAt,
  test: ({ isTest }) => isTest,
}
