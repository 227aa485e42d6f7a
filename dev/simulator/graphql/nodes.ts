import { type Gid, parseGid } from '../shops/ids.ts'
import { allows } from '../shops/scopes.ts'
import { levelNumber } from '../webhooks/shop-payloads.ts'
import { shopView } from './shop-views.ts'
import { fail, type View, type ViewContext } from './view.ts'

/** Reads an id of the API. Throws when it is none at all; what it belongs to may still not be there. */
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
}

/** Throws unless the app may see things of this type. */
export function demandScope(context: ViewContext, type: string): void {
  const scope = scopes[type]
  if (scope === undefined || allows(context.scopes, scope)) return
  throw fail('ACCESS_DENIED', `Access denied for ${type}. Required access: \`${scope}\` access scope.`)
}

/** Whatever has this id, and is of the type when one is wanted; null when there is no such thing. */
export function findNode(context: ViewContext, text: string, wanted?: string): View | null {
  const { type, id, parameters } = readId(context, text)
  if (wanted !== undefined && type !== wanted) return null
  demandScope(context, type)
  const { shop, views } = context
  const { catalogue } = shop
  switch (type) {
    case 'Product':
      return views.product(catalogue.productNumber(id) ?? -1)
    case 'ProductVariant': {
      const place = catalogue.variantPlace(id)
      return place ? views.variant(catalogue.variant(place)) : null
    }
    case 'InventoryItem':
      return views.item(catalogue.itemPlace(id))
    case 'InventoryLevel': {
      const item = catalogue.itemPlace(parameters.get('inventory_item_id') ?? '')
      const location = shop.locations.findIndex((place) => levelNumber(place) === id)
      return item ? views.level({ item, location }, shop.stock.level({ item, location })) : null
    }
    case 'Location':
      return views.location(shop.locations.findIndex((place) => place.id === id))
    case 'Order':
      return views.order(visibleOrders(context).find((order) => order.id === id))
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

/** Without `read_all_orders`, an app sees the last 60 days. */
export function visibleOrders({ shop, scopes: allowed }: ViewContext) {
  if (allows(allowed, 'read_all_orders')) return shop.orders()
  const earliest = new Date(Date.now() - sixtyDaysMs).toISOString()
  return shop.orders().filter(({ createdAt }) => createdAt >= earliest)
}
