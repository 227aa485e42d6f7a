import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { DataRequestPayload, RedactionPayload } from '../../../schemas/webhooks.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader } from './payloads.ts'

/*
 * Topics CUSTOMERS_DATA_REQUEST and CUSTOMERS_REDACT. The service stores no customer data (docs/operations.md,
 * "Customers' data"), so the settled delivery is the record of the request, with its outcome as the reason.
 */

const readDataRequests = createPayloadReader(DataRequestPayload)
const readRedactions = createPayloadReader(RedactionPayload)

/** A customer wants to know what is stored about them. */
export async function applyDataRequests(
  tx: Db,
  shopId: number,
  _namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readDataRequests(deliveries)
  const isOfShop = await shopCheck(tx, shopId)
  const settlements = readable.map(({ id, payload }): Settlement => {
    if (!isOfShop(payload)) return otherShop(id)
    const request = payload.data_request?.id === undefined ? '' : ` ${payload.data_request.id}`
    return {
      id,
      state: 'applied',
      reason: `Data request${request}${ordersIn(payload.orders_requested)}: no data of the customer is stored.`,
    }
  })
  return [...rejected, ...settlements]
}

/** Call it after all deliveries of the shop are projected (`customer-data.ts`); `projected` is their number. */
export async function applyRedactions(
  tx: Db,
  shopId: number,
  deliveries: readonly WebhookDelivery[],
  projected: number,
): Promise<Settlement[]> {
  const { readable, rejected } = readRedactions(deliveries)
  const isOfShop = await shopCheck(tx, shopId)
  const removed =
    projected === 0
      ? 'no data of the customer was stored'
      : `personal data was removed from ${projected} stored ${projected === 1 ? 'update' : 'updates'}`
  const settlements = readable.map(({ id, payload }): Settlement => {
    if (!isOfShop(payload)) return otherShop(id)
    return { id, state: 'applied', reason: `Redaction${ordersIn(payload.orders_to_redact)}: ${removed}.` }
  })
  return [...rejected, ...settlements]
}

const ordersIn = (orders: readonly unknown[] | null | undefined) =>
  orders && orders.length > 0 ? ` for ${orders.length} ${orders.length === 1 ? 'order' : 'orders'}` : ''

const Domain = Type.Object({ domain: Type.String() })

/** The signature covers the body but not the header with the shop, so the body must name this shop. */
async function shopCheck(tx: Db, shopId: number): Promise<(payload: { shop_domain: string }) => boolean> {
  const domain = await tx.maybeOneFirst(sql.type(row(Domain))`select domain from shop where id = ${shopId}`)
  return ({ shop_domain }) => shop_domain.toLowerCase() === domain
}

const otherShop = (id: number): Settlement => ({
  id,
  state: 'rejected',
  reason: 'The payload does not belong to this shop.',
})
