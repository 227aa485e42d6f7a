import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { ShopPayload } from '../../schemas/webhooks.ts'
import { uninstallShop } from '../shops/remove.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader, type ReadDelivery } from './payloads.ts'

const readShops = createPayloadReader(ShopPayload)
const Domain = Type.Object({ domain: Type.String() })

/**
 * The signature covers the body but not the headers with topic and shop. So the body must be this shop's: else an
 * attacker could replay the signed webhook of an order as an uninstall (specification, topic APP_UNINSTALLED).
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
  { id, payload, happenedAt }: ReadDelivery<ShopPayload>,
): Promise<Settlement> {
  if (!isShop(payload) || !hasDomain(domain, payload)) {
    return { id, state: 'rejected', reason: 'The payload does not belong to this shop.' }
  }
  if (await uninstallShop(tx, shopId, happenedAt)) return { id, state: 'applied', reason: '' }
  return { id, state: 'ignored', reason: 'The webhook is older than the installation.' }
}

/** The payload of a shop has an id and a name. One with lines, variants or an inventory item is of another topic. */
function isShop(payload: ShopPayload): boolean {
  const isNamed = ['name', 'domain', 'myshopify_domain', 'shop_domain'].some((field) => field in payload)
  return (
    'id' in payload &&
    isNamed &&
    !['line_items', 'variants', 'inventory_item_id'].some((field) => field in payload)
  )
}

/** Ignores the field `domain`, which may be the merchant's own domain. */
function hasDomain(shopDomain: string, { myshopify_domain, shop_domain }: ShopPayload): boolean {
  const named = [myshopify_domain, shop_domain].filter((name) => typeof name === 'string')
  return named.every((name) => name.toLowerCase() === shopDomain)
}
