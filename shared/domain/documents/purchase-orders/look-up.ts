import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import type { PurchaseOrderInput } from '../../../schemas/purchase-orders.ts'
import { KnownVariant } from '../../records/catalogue/variants.ts'
import { unknownSupplier } from '../../records/suppliers/unknown-supplier.ts'
import { SupplierTerms } from './currency.ts'

/** A new order. A line that a suggestion rounded up says by how many pieces. */
export type OrderToCreate = Omit<PurchaseOrderInput, 'lineItems'> & {
  lineItems: readonly (PurchaseOrderInput['lineItems'][number] & { roundedUpBy?: number })[]
}

const KnownLine = Type.Object({
  at: Type.Integer(),
  variant: KnownVariant,
  supplierSku: Type.String(),
  packSize: Type.Integer(),
  minimumQuantity: Nullable(Type.Integer()),
  quantityMultiple: Type.Integer(),
})

const KnownOrder = Type.Object({
  ...SupplierTerms.properties,
  /** Null: none, unknown or not in use. */
  destinationId: Nullable(Id),
  /** In the order of the input, without the lines whose variants the shop does not have. */
  lines: Type.Array(KnownLine),
})
export type KnownOrder = Static<typeof KnownOrder>

/**
 * Reads the stored data for a new order in one round trip: the supplier's terms, the destination, and the variant and the
 * supplier's packaging of each line. It reads no prices, since most lines have a cost. `functions/look_up_order.sql`
 * keeps the plan. Throws unknown_supplier.
 */
export async function lookUpOrder(
  db: Db,
  shopId: number,
  { supplierId, destinationLocationId, lineItems }: OrderToCreate,
): Promise<KnownOrder> {
  const variantGids = lineItems.map(({ variantId }) => variantId)
  const supplierSkus = lineItems.map(({ supplierSku }) => supplierSku || null)
  const order = await db.maybeOne(sql.type(row(KnownOrder))`
    select id, currency, shop_currency, tax_rate, destination_id, lines
    from look_up_order(
      ${shopId}, ${supplierId}, ${destinationLocationId ?? null},
      ${sql.array(variantGids, 'text')}, ${sql.array(supplierSkus, 'text')}
    )
  `)
  if (!order) throw unknownSupplier()
  return order
}
