import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingDelivery } from '../../shared/domain/exchange/webhooks/deliveries.ts'
import { projectBody } from '../../shared/domain/kit/webhook-fields/projection.ts'
import type { LoadRequest } from './load.ts'
import type { LevelUpdate, StockShop } from './stock-shop.ts'
import { benchKeys } from './system.ts'

function toBody({ item, location, available, updatedAt }: LevelUpdate): string {
  return JSON.stringify({
    inventory_item_id: item,
    location_id: location,
    available,
    updated_at: updatedAt,
    admin_graphql_api_id: `gid://platform/InventoryLevel/${location}?inventory_item_id=${item}`,
  })
}

/** The delivery as web stores it. */
export function toDelivery({ domain }: StockShop, update: LevelUpdate): IncomingDelivery {
  return {
    shopDomain: domain,
    topic: 'INVENTORY_LEVELS_UPDATE',
    webhookId: randomUUID(),
    eventId: '',
    triggeredAt: update.updatedAt,
    payload: projectBody('INVENTORY_LEVELS_UPDATE', Buffer.from(toBody(update))),
    jobFlags: [`request:${randomUUID()}`],
  }
}

/** The webhook request as the platform sends it: signed, with a unique id. */
export function toRequest({ domain }: StockShop, update: LevelUpdate): LoadRequest {
  const body = toBody(update)
  return {
    method: 'POST',
    path: '/webhooks',
    headers: {
      'content-type': 'application/json',
      'x-platform-topic': 'inventory_levels/update',
      'x-platform-shop-domain': domain,
      'x-platform-webhook-id': '{unique}',
      'x-platform-triggered-at': update.updatedAt,
      'x-platform-hmac-sha256': createHmac('sha256', benchKeys.PLATFORM_API_SECRET)
        .update(body)
        .digest('base64'),
    },
    body,
  }
}
