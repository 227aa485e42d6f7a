import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { markUncosted, requestMargins } from './first-costs.ts'

const noAverage = sql.fragment`select false as is_known, null::numeric as cost, null::text as source`

const Followed = Type.Object({ hasFirst: Type.Boolean() })

/**
 * Writes a cost movement for each of some variants (a condition on `variant v`) whose unit cost is not the last cost of
 * its ledger: after a report of the platform, a typed cost or an import, and for the variants of the previous release.
 * `average` is a lateral query on `v`: where `is_known`, `cost` is the average afterwards, null for none, and `source` is its source. It
 * replaces the last column of the table below, also where the unit cost has not changed. The caller must have the variants' row locks.
 *
 *   the ledger of the variant       new cost from       average afterwards
 *   empty                           any source          the cost
 *   only costs of the platform      the platform        the cost
 *   with receipts                   the platform        unchanged
 *   any                             the merchant        the cost
 *   of a variant without stock      any source          the cost
 */
export async function followUnitCosts(
  tx: Db,
  shopId: number,
  variants: FragmentSqlToken,
  actor = '',
  { average = noAverage, reference = '' }: { average?: FragmentSqlToken; reference?: string } = {},
): Promise<void> {
  const { hasFirst } = await tx.one(sql.type(row(Followed))`
    with changed as (
      select v.id, v.is_tracked, v.unit_cost, coalesce(v.cost_source, case when known.is_known then 'import' else 'receipt' end) as source, c.variant_id is null as is_first,
        c.average_cost as before, c.source as before_source, stock.on_hand, known.is_known, known.cost as known, known.source as known_source
      from variant v
      left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = v.id
      cross join lateral (
        -- as the function shop_stock counts it: a call for each variant takes eight times as long, and a sync has thousands
        select (coalesce(sum(coalesce(l.on_hand, l.quantity)), 0) + coalesce((
          select sum(i.in_transit)
          from stock_transfer_item i
          where i.shop_id = ${shopId} and i.variant_id = v.id and i.in_transit > 0
        ), 0))::bigint as on_hand
        from stock_level l
        where l.shop_id = ${shopId} and l.variant_id = v.id
      ) stock
      left join lateral (${average}) known on true
      where v.shop_id = ${shopId} and ${variants}
        and case
          when c.variant_id is null then v.unit_cost is not null
          else c.last_cost is distinct from v.unit_cost or known.is_known and c.average_cost is distinct from known.cost
        end
    ),
    followed as (
      select *,
        case
          when is_known then known
          when unit_cost is null then before
          when before is null or not is_tracked or source in ('manual', 'import') or before_source = 'platform'
            then unit_cost
          else before
        end as after
      from changed
    ),
    written as (
      insert into cost_movement (
        shop_id, variant_id, cause, reference, actor, unit_cost, value, on_hand_before, average_before, average_after,
        last_cost_after, occurred_at
      )
      select ${shopId}, id, case when is_first then 'opening' else source end,
        ${reference}, ${actor}, unit_cost, greatest(on_hand, 0) * (coalesce(after, 0) - coalesce(before, 0)), on_hand, before, after, unit_cost,
        clock_timestamp()
      from followed
      order by id
    ),
    stored as (
      insert into variant_cost as c (shop_id, variant_id, average_cost, last_cost, source, updated_at)
      select ${shopId}::bigint, id, after, unit_cost,
        case when is_known then known_source when after is distinct from before or is_first then source else before_source end, clock_timestamp()
      from followed
      order by id
      on conflict (shop_id, variant_id) do update
      set average_cost = excluded.average_cost, last_cost = excluded.last_cost, source = excluded.source,
        updated_at = excluded.updated_at
    ),
    marked as (${markUncosted(shopId, sql.fragment`${variants} and v.unit_cost is not null`)})
    select exists (select from marked) as has_first
  `)
  if (hasFirst) await requestMargins(tx, shopId)
}
