import { type Gid, parseGid } from '../shops/ids.ts'
import { allows } from '../shops/scopes.ts'
import { levelNumber } from '../webhooks/shop-payloads.ts'
import { findFulfillment, findRefund } from './order-views.ts'
import { shopView } from './shop-views.ts'
import { fail, type View, type ViewContext } from './view.ts'

/** Parses an id of the API. Throws when it is malformed; the object may still not exist. */
export function readId({ shop }: ViewContext, text: string): Gid {
  const gid = parseGid(shop.namespace, text)
  if (!gid) throw fail('argumentLiteralsIncompatible', `Invalid global id '${text}'`)
  return gid
}

const scopes: Readonly<Record<string, string>> = {
  Product: 'read_products',
  ProductVariant: 'read_products',
  InventoryItem: 'read_inventory',
  InventoryLevel: 'read_inventory',
  Location: 'read_locations',
  Order: 'read_orders',
  Refund: 'read_orders',
  Fulfillment: 'read_orders',
}

/** Throws unless the app has the scope to read this type. */
export function requireScope(context: ViewContext, type: string): void {
  const scope = scopes[type]
  if (scope === undefined || allows(context.scopes, scope)) return
  throw fail('ACCESS_DENIED', `Access denied for ${type}. Required access: \`${scope}\` access scope.`)
}

/** The object with this id, and of the given type if there is one; null when there is none. */
export function findNode(context: ViewContext, text: string, requiredType?: string): View | null {
  const { type, id, parameters } = readId(context, text)
  if (requiredType !== undefined && type !== requiredType) return null
  requireScope(context, type)
  const { shop, views } = context
  const { catalogue } = shop
  switch (type) {
    case 'Product':
      return views.product(catalogue.productNumber(id) ?? -1)
    case 'ProductVariant': {
      const key = catalogue.variantKey(id)
      return key ? views.variant(catalogue.variant(key)) : null
    }
    case 'InventoryItem':
      return views.item(catalogue.itemKey(id))
    case 'InventoryLevel': {
      const item = catalogue.itemKey(parameters.get('inventory_item_id') ?? '')
      const location = shop.locations.findIndex((candidate) => levelNumber(candidate) === id)
      return item ? views.level({ item, location }, shop.stock.level({ item, location })) : null
    }
    case 'Location':
      return views.location(shop.locations.findIndex((location) => location.id === id))
    case 'Order':
      return views.order(visibleOrders(context).find((order) => order.id === id))
    case 'Refund':
      return findRefund(context, visibleOrders(context), id)
    case 'Fulfillment':
      return findFulfillment(context, visibleOrders(context), id)
    case 'WebhookSubscription': {
      const found = shop.subscriptions().find((subscription) => subscription.id === id)
      return found ? views.subscription(found) : null
    }
    case 'Shop':
      return id === shop.facts.id ? shopView(context) : null
    default:
      return null
  }
}

const sixtyDaysMs = 60 * 86_400_000

/** Without `read_all_orders`, an app sees only orders of the last 60 days. */
export function visibleOrders({ shop, scopes: allowed }: ViewContext) {
  if (allows(allowed, 'read_all_orders')) return shop.orders()
  const earliest = new Date(Date.now() - sixtyDaysMs).toISOString()
  return shop.orders().filter(({ createdAt }) => createdAt >= earliest)
}
