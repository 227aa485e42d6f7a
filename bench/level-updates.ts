import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingDelivery } from '../shared/domain/webhooks/deliveries.ts'
import type { LoadRequest } from './load.ts'
import type { LevelNews, StockShop } from './stock-shop.ts'
import { benchKeys } from './system.ts'

function toBody({ item, place, available, updatedAt }: LevelNews): string {
  return JSON.stringify({
    inventory_item_id: item,
    location_id: place,
    available,
    updated_at: updatedAt,
    admin_graphql_api_id: `gid://platform/InventoryLevel/${place}?inventory_item_id=${item}`,
  })
}

/** As `web` stores it. */
export function toDelivery({ domain }: StockShop, news: LevelNews): IncomingDelivery {
  return {
    shopDomain: domain,
    topic: 'INVENTORY_LEVELS_UPDATE',
    webhookId: randomUUID(),
    eventId: '',
    triggeredAt: news.updatedAt,
    payload: Buffer.from(toBody(news)),
    origin: [`request:${randomUUID()}`],
  }
}

/** As the platform sends it: signed, and never twice with the same id. */
export function toRequest({ domain }: StockShop, news: LevelNews): LoadRequest {
  const body = toBody(news)
  return {
    method: 'POST',
    path: '/webhooks',
    headers: {
      'content-type': 'application/json',
      'x-platform-topic': 'inventory_levels/update',
      'x-platform-shop-domain': domain,
      'x-platform-webhook-id': '{unique}',
      'x-platform-triggered-at': news.updatedAt,
      'x-platform-hmac-sha256': createHmac('sha256', benchKeys.PLATFORM_API_SECRET)
        .update(body)
        .digest('base64'),
    },
    body,
  }
}
