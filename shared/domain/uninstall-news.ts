import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../db.ts'
import { ShopPayload } from '../schemas/webhooks.ts'
import { uninstallShop } from './shop-removal.ts'
import type { Settlement, WebhookDelivery } from './webhook-deliveries.ts'
import { createPayloadReader, type ReadDelivery } from './webhook-payloads.ts'

const readShops = createPayloadReader(ShopPayload)
const Domain = Type.Object({ domain: Type.String() })

/**
 * Ends the installation (specification, topic APP_UNINSTALLED). The signature covers the body and not the headers,
 * so the body has to be that of a shop, and of this one: else an order's news could be sent again as the end of a shop.
 */
export async function applyUninstalls(
  tx: Db,
  shopId: number,
  _namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readShops(deliveries)
  const domain = await tx.maybeOneFirst(sql.type(row(Domain))`select domain from shop where id = ${shopId}`)
  const settlements: Settlement[] = []
  for (const delivery of readable) settlements.push(await end(tx, shopId, domain ?? '', delivery))
  return [...rejected, ...settlements]
}

async function end(
  tx: Db,
  shopId: number,
  domain: string,
  { id, payload, happenedAt }: ReadDelivery<Static<typeof ShopPayload>>,
): Promise<Settlement> {
  const named = [payload.myshopify_domain, payload.domain, payload.shop_domain].filter(
    (name) => typeof name === 'string',
  )
  const isOfThisShop = named.includes(domain) || (named.length === 0 && 'myshopify_domain' in payload)
  if (!isOfThisShop) return { id, state: 'rejected', reason: 'The payload is not that of this shop.' }
  if (await uninstallShop(tx, shopId, happenedAt)) return { id, state: 'applied', reason: '' }
  return { id, state: 'ignored', reason: 'It is older than the installation.' }
}
