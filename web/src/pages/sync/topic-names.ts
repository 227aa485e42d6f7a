/** The webhook topics of the platform, named for merchants. */
export const topicNames = {
  ORDERS_CREATE: 'An order was placed',
  ORDERS_UPDATED: 'An order was changed',
  ORDERS_DELETE: 'An order was deleted',
  PRODUCTS_UPDATE: 'A product was changed',
  INVENTORY_LEVELS_UPDATE: 'Stock was changed',
  APP_UNINSTALLED: 'The app was removed',
  PRODUCTS_CREATE: 'A product was added',
  PRODUCTS_DELETE: 'A product was deleted',
  INVENTORY_ITEMS_UPDATE: 'A cost or the tracking of stock was changed',
  LOCATIONS_CREATE: 'A location was added',
  LOCATIONS_UPDATE: 'A location was changed',
  LOCATIONS_ACTIVATE: 'A location was activated',
  LOCATIONS_DEACTIVATE: 'A location was deactivated',
  LOCATIONS_DELETE: 'A location was deleted',
  CUSTOMERS_DATA_REQUEST: 'A customer asked for their data',
  CUSTOMERS_REDACT: 'A customer’s data has to be removed',
}

/** The topic itself when it has no name. */
export const topicName = (topic: string): string => (topicNames as Record<string, string>)[topic] ?? topic
