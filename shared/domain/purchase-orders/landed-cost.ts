import { type Db, row, sql } from '../../db/db.ts'
import { notFound } from '../../errors.ts'
import { LandedCost } from '../../schemas/charges.ts'
import { currencyOf } from '../shops/currency.ts'
import { shownSku, shownTitle } from './lines.ts'

/** The aliases of the tables in the SQL of this file. */
const aliases = { order: 'o', line: 'l', variant: 'v', product: 'p' }

/** What an order's goods cost with its charges, by `landed_lines` and `charge_shares` (db/functions/). Throws not_found. */
export async function getLandedCost(db: Db, shopId: number, id: number): Promise<LandedCost> {
  const cost = await db.maybeOne(sql.type(row(LandedCost))`
    select ${currencyOf(shopId)} as currency,
      coalesce(landed.lines, '[]') as lines, landed.total, coalesce((
        select round(sum(m.variance), minor_digits(${currencyOf(shopId)}))
        from cost_movement m
        join receipt r on r.shop_id = ${shopId} and r.id = m.receipt_id
        where m.shop_id = ${shopId} and r.purchase_order_id = ${id}
      ), 0) as variance
    from purchase_order o
    cross join lateral (
      select jsonb_agg(jsonb_build_object(
          'lineItemId', l.id, 'sku', ${shownSku(aliases)}, 'title', ${shownTitle(aliases)}, 'quantity', l.quantity,
          'unitCost', round(line.goods_cost, 6),
          'landedUnitCost', round(line.goods_cost + line.share / nullif(line.quantity, 0), 6), 'shares', coalesce((
            select jsonb_agg(jsonb_build_object('chargeId', s.charge_id, 'kind', s.kind, 'amount', s.amount)
              order by s.charge_id)
            from charge_shares(${shopId}, ${id}) s
            where s.line_id = l.id
          ), '[]')
        ) order by l.position) as lines,
        case when bool_and(line.goods_cost is not null)
          then round(sum(line.goods_cost * line.quantity + line.share), minor_digits(${currencyOf(shopId)}))
        end as total
      from landed_lines(${shopId}, ${id}) line
      join purchase_order_line l on l.shop_id = ${shopId} and l.id = line.line_id
      join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
    ) landed
    where o.shop_id = ${shopId} and o.id = ${id}
  `)
  if (!cost) throw notFound('Purchase order')
  return cost
}
