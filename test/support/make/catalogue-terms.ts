import { type Db, sql } from '../../../shared/db/db.ts'
import type { Person } from '../core/people.ts'
import { variantGid } from './stock.ts'

type Fields = {
  supplierId: number
  /** The number of a variant of `makeStock`. */
  variant?: number
  supplierSku?: string
  packSize?: number
  packBarcode?: string
  minimumQuantity?: number | null
  quantityMultiple?: number
  leadTimeDays?: number | null
  rank?: number
  isActive?: boolean
  prices?: { price: number; minQuantity?: number; currency?: string; validFrom?: string; validTo?: string }[]
}

/** A product in a supplier's catalogue, with its prices. */
export async function makeSupplierProduct(
  db: Db,
  { shopId }: Pick<Person, 'shopId'>,
  { supplierId, variant = 1, supplierSku = '', packSize = 1, prices = [], ...fields }: Fields,
): Promise<number> {
  const id = await db.oneFirst(sql.typeAlias('id')`
    insert into supplier_product (
      shop_id, supplier_id, variant_id, supplier_sku, pack_size, minimum_quantity, quantity_multiple, lead_time_days,
      rank, is_active, pack_barcode
    )
    select ${shopId}, ${supplierId}, id, ${supplierSku}, ${packSize}, ${fields.minimumQuantity ?? null}::int,
      ${fields.quantityMultiple ?? 1}, ${fields.leadTimeDays ?? null}::int, ${fields.rank ?? 1}, ${fields.isActive ?? true},
      ${fields.packBarcode ?? ''}
    from variant
    where shop_id = ${shopId} and gid = ${variantGid(variant)}
    returning id
  `)
  for (const { price, minQuantity = 1, currency = 'USD', validFrom = null, validTo = null } of prices) {
    await db.query(sql.typeAlias('void')`
      insert into supplier_price (
        shop_id, supplier_product_id, min_quantity, price, currency, valid_from, valid_to, source
      )
      values (${shopId}, ${id}, ${minQuantity}, ${price}, ${currency}, ${validFrom}::date, ${validTo}::date, 'typed')
    `)
  }
  return id
}

type SupplierTerms = {
  currency?: string
  minimumValue?: number
  minimumQuantity?: number
  freeFreight?: number
  taxRate?: number
}

/** Sets what orders of a supplier begin with. */
export async function setSupplierTerms(
  db: Db,
  { shopId }: Pick<Person, 'shopId'>,
  id: number,
  { currency, minimumValue, minimumQuantity, freeFreight, taxRate }: SupplierTerms,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update supplier
    set currency = ${currency ?? null}, minimum_order_value = ${minimumValue ?? null}::numeric,
      minimum_order_quantity = ${minimumQuantity ?? null}::int, free_freight_value = ${freeFreight ?? null}::numeric,
      default_tax_rate = ${taxRate ?? null}::numeric
    where shop_id = ${shopId} and id = ${id}
  `)
}
