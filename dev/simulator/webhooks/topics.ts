/** The topics that apps subscribe to. */
export const subscribedTopics = [
  'APP_UNINSTALLED',
  'INVENTORY_ITEMS_UPDATE',
  'INVENTORY_LEVELS_CONNECT',
  'INVENTORY_LEVELS_UPDATE',
  'LOCATIONS_ACTIVATE',
  'LOCATIONS_CREATE',
  'LOCATIONS_DEACTIVATE',
  'LOCATIONS_DELETE',
  'LOCATIONS_UPDATE',
  'ORDERS_CREATE',
  'ORDERS_DELETE',
  'ORDERS_UPDATED',
  'PRODUCTS_CREATE',
  'PRODUCTS_DELETE',
  'PRODUCTS_UPDATE',
] as const
export type SubscribedTopic = (typeof subscribedTopics)[number]

/** The compliance topics, which every app receives without a subscription. */
export const complianceTopics = ['CUSTOMERS_DATA_REQUEST', 'CUSTOMERS_REDACT', 'SHOP_REDACT'] as const
export type ComplianceTopic = (typeof complianceTopics)[number]

export type Topic = SubscribedTopic | ComplianceTopic

/**
 * The topic as in the header of a delivery: `orders/create`, `inventory_levels/update`, `customers/data_request`.
 */
export function topicPath(topic: Topic): string {
  const [resource = ''] = /^(INVENTORY_ITEMS|INVENTORY_LEVELS|[A-Z]+)(?=_)/.exec(topic) ?? []
  return `${resource}/${topic.slice(resource.length + 1)}`.toLowerCase()
}

const scopeOfResource: Readonly<Record<string, string>> = {
  inventory_items: 'read_inventory',
  inventory_levels: 'read_inventory',
  locations: 'read_locations',
  orders: 'read_orders',
  products: 'read_products',
}

/** The scope required to subscribe to a topic; `undefined` when none is. */
export const topicScope = (topic: Topic) => scopeOfResource[topicPath(topic).split('/')[0] ?? '']
