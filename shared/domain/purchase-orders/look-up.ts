import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id, Nullable } from '../../schemas/common.ts'
import type { PurchaseOrderInput } from '../../schemas/purchase-orders.ts'
import { KnownVariant, variantTitle } from '../catalogue/variants.ts'
import { packagingOf } from '../supplier-prices/price-of-line.ts'
import { unknownSupplier } from '../suppliers/unknown-supplier.ts'
import { SupplierTerms, supplierTerms } from './currency.ts'

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
 * supplier's packaging of each line. It reads no prices, since most lines have a cost. Throws unknown_supplier.
 */
export async function lookUpOrder(
  db: Db,
  shopId: number,
  { supplierId, destinationLocationId, lineItems }: OrderToCreate,
): Promise<KnownOrder> {
  const rows = lineItems.map(({ variantId, supplierSku }, at) => [at, variantId, supplierSku || null])
  const packaging = packagingOf(shopId, {
    variant: sql.fragment`v.id`,
    supplier: sql.fragment`${supplierId}::bigint`,
    sku: sql.fragment`input.supplier_sku`,
  })
  const order = await db.maybeOne(sql.type(row(KnownOrder))`
    select ${supplierTerms(shopId, 's')},
      (
        select id from location where shop_id = ${shopId} and gid = ${destinationLocationId ?? null} and is_active
      ) as destination_id,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'at', input.at,
          'variant', jsonb_build_object(
            'id', v.id, 'gid', v.gid, 'productGid', p.gid, 'sku', v.sku, 'title', ${variantTitle('v', 'p')},
            'isConfirmed', v.confirmed_at is not null
          ),
          'supplierSku', coalesce(x.supplier_sku, input.supplier_sku, ''), 'packSize', coalesce(x.pack_size, 1),
          'minimumQuantity', x.minimum_quantity, 'quantityMultiple', coalesce(x.quantity_multiple, 1)
        ) order by input.at), '[]')
        from ${sql.unnest(rows, ['int4', 'text', 'text'])} as input (at, variant_gid, supplier_sku)
        join variant v on v.shop_id = ${shopId} and v.gid = input.variant_gid
        join product p on p.shop_id = ${shopId} and p.id = v.product_id
        left join lateral (${packaging}) x on true
      ) as lines
    from supplier s
    where s.shop_id = ${shopId} and s.id = ${supplierId} and s.archived_at is null
  `)
  if (!order) throw unknownSupplier()
  return order
}
