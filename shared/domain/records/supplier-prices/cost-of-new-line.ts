import { sql } from '../../../db/db.ts'
import { todayOf } from '../../kit/date-range.ts'
import { currencyOf } from '../shops/currency.ts'
import { newestLine } from './price-of-line.ts'

/**
 * SQL for the cost of a new order line of a variant: the supplier's price today, else its last price, else the unit cost
 * where that is in the supplier's currency. Without a supplier the unit cost. `v` is an alias of `variant`.
 */
export function costOfNewLine(
  shopId: number,
  v: ReturnType<typeof sql.fragment>,
  supplierId: number | undefined,
) {
  if (supplierId === undefined) return sql.fragment`${v}.unit_cost`
  const [variant, supplier] = [sql.fragment`${v}.id`, sql.fragment`${supplierId}`]
  return sql.fragment`coalesce(
    (${cataloguePrice(shopId, variant, supplier)}),
    (${lastPrice(shopId, variant, supplier)}),
    case when coalesce(${supplierCurrency(shopId, supplier)} = ${currencyOf(shopId)}, true) then ${v}.unit_cost end
  )`
}

/**
 * SQL query: the price of the supplier's newest order line for the variant that was sent and not cancelled, in the supplier's
 * currency; no row without one. A line of the packaging that a new line gets comes first.
 */
const lastPrice = (
  shopId: number,
  variant: ReturnType<typeof sql.fragment>,
  supplier: ReturnType<typeof sql.fragment>,
) => sql.fragment`
  select last.net_price
  from (${newestLine(
    shopId,
    {
      variant,
      sku: sql.fragment`(select supplier_sku from packaging_of(${shopId}, ${variant}, ${supplier}, null))`,
    },
    sql.fragment`o.supplier_id = ${supplier} and o.status not in ('draft', 'cancelled')
      and coalesce(o.currency, ${currencyOf(shopId)}) = coalesce(${supplierCurrency(shopId, supplier)}, ${currencyOf(shopId)})`,
  )}) last
`

/** SQL query: the supplier's price of one piece today, in its currency; no row without one. */
const cataloguePrice = (
  shopId: number,
  variant: ReturnType<typeof sql.fragment>,
  supplier: ReturnType<typeof sql.fragment>,
) => sql.fragment`
  select c.price
  from packaging_of(${shopId}, ${variant}, ${supplier}, null) x
  join supplier_price c on c.shop_id = ${shopId} and c.supplier_product_id = x.id
  where c.min_quantity = 1 and c.currency = coalesce(${supplierCurrency(shopId, supplier)}, ${currencyOf(shopId)})
    and daterange(c.valid_from, c.valid_to, '[]') @> ${todayOf(shopId)}
`

/** SQL for the currency of a supplier; null: the shop's. */
const supplierCurrency = (shopId: number, supplierId: ReturnType<typeof sql.fragment>) =>
  sql.fragment`(select currency from supplier where shop_id = ${shopId} and id = ${supplierId})`
