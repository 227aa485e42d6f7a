import { type Db, row, sql } from '../../../../db/db.ts'
import { notFound } from '../../../../errors.ts'
import { LandedCost } from '../../../../schemas/charges.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import { shownSku, shownTitle } from '../lines/lines.ts'

/** The aliases of the tables in the SQL of this file. */
const aliases = { order: 'o', line: 'l', variant: 'v', product: 'p' }

/**
 * What an order's goods cost with its charges, by `landed_lines` and `charge_shares` (`costs/functions/`). Pieces whose cost was corrected at a
 * receipt have that cost, the others the price after discounts. Throws not_found.
 *
 * Example: 10 ordered at 10.00 with 10.00 of freight, of which 4 were received at 12.00: a piece costs (48 + 60) / 10 = 10.80, landed 11.80.
 */
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
          'unitCost', round(goods.cost, 6),
          'landedUnitCost', round(goods.cost + line.share / nullif(line.quantity, 0), 6), 'shares', coalesce((
            select jsonb_agg(jsonb_build_object('chargeId', s.charge_id, 'kind', s.kind, 'amount', s.amount)
              order by s.charge_id)
            from charge_shares(${shopId}, ${id}) s
            where s.line_id = l.id
          ), '[]')
        ) order by l.position) as lines,
        case when bool_and(goods.cost is not null)
          then round(sum(goods.cost * line.quantity + line.share), minor_digits(${currencyOf(shopId)}))
        end as total
      from landed_lines(${shopId}, ${id}) line
      cross join lateral (
        select coalesce(sum(x.quantity), 0) as received,
          coalesce(sum(x.quantity) filter (where x.unit_cost is not null), 0) as corrected, sum(x.quantity * x.unit_cost) as paid
        from receipt_line x
        join receipt r on r.shop_id = ${shopId} and r.id = x.receipt_id
        where x.shop_id = ${shopId} and x.purchase_order_line_id = line.line_id and r.state = 'posted' and r.reversed_at is null
      ) got
      cross join lateral (select greatest(line.quantity, got.received) as pieces) all_pieces
      cross join lateral (
        select case
          when got.corrected = 0 then line.goods_cost
          when got.corrected = pieces then got.paid * receipt_rate(${shopId}, ${id}) / pieces
          else (got.paid * receipt_rate(${shopId}, ${id}) + (pieces - got.corrected) * line.goods_cost) / pieces
        end as cost
      ) goods
      join purchase_order_line l on l.shop_id = ${shopId} and l.id = line.line_id
      join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
    ) landed
    where o.shop_id = ${shopId} and o.id = ${id}
  `)
  if (!cost) throw notFound('Purchase order')
  return cost
}
