/** The topics that apps subscribe to. */
export const subscribedTopics = [
  'APP_UNINSTALLED',
  'INVENTORY_LEVELS_CONNECT',
  'INVENTORY_LEVELS_UPDATE',
  'ORDERS_CREATE',
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
  const [resource = ''] = /^(INVENTORY_LEVELS|[A-Z]+)(?=_)/.exec(topic) ?? []
  return `${resource}/${topic.slice(resource.length + 1)}`.toLowerCase()
}

const scopes: Partial<Record<Topic, string>> = {
  INVENTORY_LEVELS_CONNECT: 'read_inventory',
  INVENTORY_LEVELS_UPDATE: 'read_inventory',
  ORDERS_CREATE: 'read_orders',
  PRODUCTS_CREATE: 'read_products',
  PRODUCTS_DELETE: 'read_products',
  PRODUCTS_UPDATE: 'read_products',
}

/** The scope required to subscribe to a topic; `undefined` when none is. */
export const topicScope = (topic: Topic) => scopes[topic]
