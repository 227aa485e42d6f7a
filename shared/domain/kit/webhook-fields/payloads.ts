import type { TSchema } from '@sinclair/typebox'
import type { WebhookTopic } from '../../../queue/jobs.ts'
import {
  DataRequestPayload,
  DeletedPayload,
  InventoryItemPayload,
  InventoryLevelPayload,
  LocationPayload,
  OrderPayload,
  ProductPayload,
  RedactionPayload,
  ShopPayload,
} from '../../../schemas/webhooks.ts'

/** What the jobs read of each topic. Nothing else is requested from the platform or stored (`projection.ts`). */
export const webhookPayloads: Readonly<Record<WebhookTopic, TSchema>> = {
  ORDERS_CREATE: OrderPayload,
  ORDERS_UPDATED: OrderPayload,
  ORDERS_DELETE: DeletedPayload,
  PRODUCTS_UPDATE: ProductPayload,
  INVENTORY_LEVELS_UPDATE: InventoryLevelPayload,
  APP_UNINSTALLED: ShopPayload,
  PRODUCTS_CREATE: ProductPayload,
  PRODUCTS_DELETE: DeletedPayload,
  INVENTORY_ITEMS_UPDATE: InventoryItemPayload,
  LOCATIONS_CREATE: LocationPayload,
  LOCATIONS_UPDATE: LocationPayload,
  LOCATIONS_ACTIVATE: LocationPayload,
  LOCATIONS_DEACTIVATE: LocationPayload,
  LOCATIONS_DELETE: DeletedPayload,
  CUSTOMERS_DATA_REQUEST: DataRequestPayload,
  CUSTOMERS_REDACT: RedactionPayload,
}
