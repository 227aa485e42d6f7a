import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { ShopPayload } from '../../../schemas/webhooks.ts'
import { uninstallShop } from '../install/remove.ts'
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
  if (!isShop(payload) || !namesShop(domain, payload)) {
    return { id, state: 'rejected', reason: 'The payload does not belong to this shop.' }
  }
  if (await uninstallShop(tx, shopId, happenedAt)) return { id, state: 'applied', reason: '' }
  return { id, state: 'ignored', reason: 'The webhook is older than the installation.' }
}

/** Fields that a shop does not have (`ofOtherTopics` in the schema). */
const otherTopics = [
  ...['line_items', 'variants', 'inventory_item_id', 'active'],
  ...['shop_id', 'data_request', 'orders_requested', 'orders_to_redact'],
]

const domains = ['domain', 'myshopify_domain', 'shop_domain']

/** The payload of a shop names its domains, which may be null. Bodies of other topics, such as a location, have none. */
function isShop(payload: ShopPayload): boolean {
  return domains.some((name) => name in payload) && !otherTopics.some((name) => name in payload)
}

/**
 * No platform domain in the payload may be another shop's. Without an id, one field must be this shop's domain; with
 * an id, `domain` may also be the merchant's own domain alone.
 */
function namesShop(shopDomain: string, { id, domain, myshopify_domain, shop_domain }: ShopPayload): boolean {
  const isThisShop = (name: unknown) => typeof name === 'string' && name.toLowerCase() === shopDomain
  const ofPlatform = [myshopify_domain, shop_domain].filter((name) => typeof name === 'string')
  const hasId = id !== undefined && id !== null
  return ofPlatform.every(isThisShop) && (hasId || [...ofPlatform, domain].some(isThisShop))
}
