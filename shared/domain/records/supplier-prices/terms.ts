import { Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../../currency.ts'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import { SupplierTerms, type SupplierTermsFilter } from '../../../schemas/purchase-orders.ts'
import { lastRateOf } from '../exchange-rates/exchange-rates.ts'
import { currencyOf } from '../shops/currency.ts'
import { readLineTerms } from './price-of-line.ts'

const OrderTerms = Type.Omit(SupplierTerms, ['variants', 'minorDigits'])
const KnownVariant = Type.Object({ id: Id, gid: Type.String(), supplierSkus: Type.Array(Type.String()) })

/**
 * The initial values of a new order of the supplier, and the terms of variants for one piece: of each packaging, and of a line with a
 * supplier SKU that the catalogue does not have. `breaks` has the prices of larger quantities. The supplier's minimum is null in
 * another currency than the supplier's. Leaves out variants that the shop does not have. Throws not_found, also for an archived
 * supplier.
 */
export async function getSupplierTerms(
  db: Db,
  shopId: number,
  supplierId: number,
  {
    variantIds,
    currency: given = null,
  }: Omit<SupplierTermsFilter, 'currency'> & { currency?: string | null },
): Promise<SupplierTerms> {
  const terms = await db.maybeOne(sql.type(row(OrderTerms))`
    select s.id as supplier_id, money.currency, coalesce(s.default_tax_rate, 0) as tax_rate,
      case
        when money.currency = shop.currency then 1
        else ${lastRateOf(shopId, sql.fragment`money.currency`)}
      end as rate,
      case when money.is_suppliers then s.minimum_order_value end as minimum_order_value,
      s.minimum_order_quantity,
      case when money.is_suppliers then s.free_freight_value end as free_freight_value
    from supplier s
    cross join (select ${currencyOf(shopId)} as currency) shop
    cross join lateral (
      select coalesce(${given}, s.currency, shop.currency) as currency,
        coalesce(${given} = coalesce(s.currency, shop.currency), true) as is_suppliers
    ) money
    where s.shop_id = ${shopId} and s.id = ${supplierId} and s.archived_at is null
  `)
  if (!terms) throw notFound('Supplier')
  const { currency } = terms
  const gids = variantIds?.split(',') ?? []
  const variants = await db.any(sql.type(row(KnownVariant))`
    select v.id, v.gid, array(
      select x.supplier_sku
      from supplier_product x
      where x.shop_id = ${shopId} and x.supplier_id = ${supplierId} and x.variant_id = v.id and x.is_active
      order by x.rank, x.id
    ) as supplier_skus
    from variant v
    where v.shop_id = ${shopId} and v.gid = any(${sql.array(gids, 'text')})
  `)
  const wanted = variants.flatMap(({ id, supplierSkus }) => {
    const line = { variantRowId: id, supplierId, quantity: 1, currency }
    return [...supplierSkus.map((supplierSku) => ({ ...line, supplierSku })), { ...line, isUnlisted: true }]
  })
  const lines = await readLineTerms(db, shopId, wanted)
  let read = 0
  return {
    ...terms,
    minorDigits: minorDigitsOf(currency),
    variants: variants.flatMap(({ gid, supplierSkus }) => {
      const packagings = lines.slice(read, read + supplierSkus.length)
      const unlisted = lines[read + supplierSkus.length]
      read += supplierSkus.length + 1
      const [preferred = unlisted, ...others] = packagings
      return preferred && unlisted ? [{ ...preferred, variantId: gid, others, unlisted }] : []
    }),
  }
}
