import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { requestCostPushes } from '../cost-pushes/request.ts'
import { lockVariants } from '../stock/move.ts'

type Cause = { reference: string; actor: string }

const Booked = Type.Object({ variantId: Id, unitCost: Type.String() })

/**
 * Books pieces that were lost or damaged in transit: they leave at the average, which stays. Call it before the pieces
 * are counted as lost. Returns what one piece of each variant was worth, without those whose cost is not known or whose
 * stock is not tracked. Example: 20 at 2.20, 3 lost: -6.60, and 17 at 2.20 remain.
 */
export async function bookLosses(
  tx: Db,
  shopId: number,
  losses: ReadonlyMap<number, number>,
  { reference, actor }: Cause,
): Promise<ReadonlyMap<number, string>> {
  if (losses.size === 0) return new Map()
  const ids = [...losses.keys()]
  await lockVariants(tx, shopId, ids)
  const booked = await tx.any(sql.type(row(Booked))`
    insert into cost_movement (
      shop_id, variant_id, cause, reference, actor, quantity, unit_cost, value, on_hand_before, average_before,
      average_after, last_cost_after, occurred_at
    )
    select ${shopId}::bigint, l.variant_id, 'loss', ${reference}, ${actor}, -l.quantity, c.average_cost,
      -l.quantity * c.average_cost, s.on_hand, c.average_cost,
      average_after(s.on_hand, c.average_cost, -l.quantity, -l.quantity * c.average_cost), c.last_cost, clock_timestamp()
    from ${sql.unnest([...losses], ['int8', 'int8'])} as l (variant_id, quantity)
    join variant v on v.shop_id = ${shopId} and v.id = l.variant_id and v.is_tracked
    join variant_cost c on c.shop_id = ${shopId} and c.variant_id = l.variant_id and c.average_cost is not null
    join shop_stock(${shopId}, ${sql.array(ids, 'int8')}) s on s.variant_id = l.variant_id
    order by l.variant_id
    returning variant_id, unit_cost::text
  `)
  return new Map(booked.map(({ variantId, unitCost }) => [variantId, unitCost]))
}

/** Books lost pieces that were found: they come back with what `bookLosses` took out. Call it before they are in transit. */
export async function bookFound(
  tx: Db,
  shopId: number,
  found: readonly { variantId: number; quantity: number; unitCost: string }[],
  { reference, actor }: Cause,
): Promise<void> {
  if (found.length === 0) return
  const ids = sql.array([...new Set(found.map(({ variantId }) => variantId))], 'int8')
  await lockVariants(
    tx,
    shopId,
    found.map(({ variantId }) => variantId),
  )
  const rows = found.map(({ variantId, quantity, unitCost }) => [variantId, quantity, unitCost])
  await tx.query(sql.typeAlias('void')`
    with found as (
      select variant_id, sum(quantity)::bigint as quantity, sum(quantity * unit_cost) as value
      from ${sql.unnest(rows, ['int8', 'int8', 'numeric'])} as f (variant_id, quantity, unit_cost)
      group by variant_id
    ),
    written as (
      insert into cost_movement (
        shop_id, variant_id, cause, reference, actor, quantity, unit_cost, value, on_hand_before, average_before,
        average_after, last_cost_after, occurred_at
      )
      select ${shopId}::bigint, f.variant_id, 'reversal', ${reference}, ${actor}, f.quantity, round(f.value / f.quantity, 18),
        f.value, s.on_hand, c.average_cost, average_after(s.on_hand, c.average_cost, f.quantity, f.value), c.last_cost,
        clock_timestamp()
      from found f
      join variant_cost c on c.shop_id = ${shopId} and c.variant_id = f.variant_id
      join shop_stock(${shopId}, ${ids}) s on s.variant_id = f.variant_id
      order by f.variant_id
      returning variant_id, average_after, occurred_at
    )
    update variant_cost c
    set average_cost = w.average_after, updated_at = w.occurred_at
    from written w
    where c.shop_id = ${shopId} and c.variant_id = w.variant_id
  `)
  await requestCostPushes(tx, shopId, sql.fragment`c.variant_id = any(${ids})`)
}
