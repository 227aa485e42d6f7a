import { Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../currency.ts'
import { type Db, row, sql } from '../../db/db.ts'
import { notFound } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'
import { SupplierTerms, type SupplierTermsFilter } from '../../schemas/purchase-orders.ts'
import { lastRateOf } from '../exchange-rates/exchange-rates.ts'
import { currencyOf } from '../shops/currency.ts'
import { readLineTerms } from './price-of-line.ts'

const OrderTerms = Type.Omit(SupplierTerms, ['variants', 'minorDigits'])
const KnownVariant = Type.Object({ id: Id, gid: Type.String() })

/**
 * The initial values of a new order of the supplier, and the terms of variants for one piece; `breaks` has the prices of larger
 * quantities. The supplier's minimum is null in another currency than the supplier's. Leaves out variants that the shop does not
 * have. Throws not_found, also for an archived supplier.
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
    select id, gid from variant where shop_id = ${shopId} and gid = any(${sql.array(gids, 'text')})
  `)
  const wanted = variants.map(({ id }) => ({ variantRowId: id, supplierId, quantity: 1, currency }))
  const lines = await readLineTerms(db, shopId, wanted)
  return {
    ...terms,
    minorDigits: minorDigitsOf(currency),
    variants: lines.map((line, at) => ({ ...line, variantId: variants[at]?.gid ?? '' })),
  }
}
