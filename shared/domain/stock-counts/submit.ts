import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { unprocessable } from '../../errors.ts'
import { Id, Timestamp } from '../../schemas/common.ts'
import { lockLevels, moveStock } from '../stock/move.ts'
import { levelOfItem } from './entries.ts'

type Count = { id: number; locationId: number }

const CountedLevel = Type.Object({ variantId: Id, locationId: Id })
const Target = Type.Object({
  variantId: Id,
  target: Type.Integer(),
  quantity: Type.Integer(),
  countedAt: Timestamp,
})

/**
 * Sets the levels of a locked count to: counted quantity + movements since the entry, by kind:
 *   receipt, reversal, transfer, delta  included
 *   platform                            included from the second of the entry on: platform times are whole seconds
 *   count, set, repair, discard         not included: they correct the level, and no goods moved
 * Example: 10 were counted and 2 were sold since, so the level becomes 8. It may become negative. Deleted and untracked
 * variants move nothing. Throws quantity_too_large, and unknown_location when the location is no longer active.
 */
export async function submitNumbers(tx: Db, shopId: number, actor: string, count: Count): Promise<void> {
  const { id, locationId } = count
  await requireActive(tx, shopId, locationId)
  const levels = await tx.any(sql.type(row(CountedLevel))`
    select variant_id, ${locationId}::bigint as location_id
    from stock_count_item
    where shop_id = ${shopId} and count_id = ${id} and counted_quantity is not null
  `)
  await lockLevels(tx, shopId, levels)
  // `+ 0` prevents an index scan over all movements of the location for each item, without statistics of the shop
  const targets = await tx.any(sql.type(row(Target))`
    select i.variant_id, i.counted_at,
      i.counted_quantity + coalesce(
        (
          select sum(delta)
          from stock_movement
          where shop_id = i.shop_id and variant_id = i.variant_id and location_id + 0 = ${locationId}
            and id > i.after_movement_id
            and (
              kind in ('receipt', 'reversal', 'transfer', 'delta')
              or (kind = 'platform' and occurred_at >= date_trunc('second', i.counted_at))
            )
        ),
        0
      ) as target,
      ${levelOfItem(shopId, locationId)} as quantity
    from stock_count_item i
    join variant v on v.shop_id = i.shop_id and v.id = i.variant_id
    where i.shop_id = ${shopId} and i.count_id = ${id} and i.counted_quantity is not null
      and v.deleted_at is null and v.is_tracked
    order by i.position
  `)
  await moveStock(
    tx,
    shopId,
    {
      kind: 'count',
      form: 'set',
      reference: `stock_count/${id}`,
      actor,
      platformReason: 'cycle_count_available',
      allowNegative: true,
    },
    targets.map(({ variantId, target, quantity, countedAt }) => ({
      variantId,
      locationId,
      delta: target - quantity,
      countedAt,
    })),
  )
  const rows = targets.map(({ variantId, target }) => [variantId, target])
  await tx.query(sql.typeAlias('void')`
    update stock_count_item i
    set submitted_quantity = line.target
    from ${sql.unnest(rows, ['int8', 'int4'])} as line (variant_id, target)
    where i.shop_id = ${shopId} and i.count_id = ${id} and i.variant_id = line.variant_id
  `)
}

/** Stores the current levels as expected quantities of the items without a count, when the count ends. */
export async function storeExpectedQuantities(
  tx: Db,
  shopId: number,
  { id, locationId }: Count,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update stock_count_item i
    set expected_quantity = ${levelOfItem(shopId, locationId)}
    where i.shop_id = ${shopId} and i.count_id = ${id} and i.counted_quantity is null
  `)
}

/** The platform does not accept stock changes at an inactive location. */
async function requireActive(tx: Db, shopId: number, locationId: number): Promise<void> {
  const isActive = await tx.exists(sql.typeAlias('void')`
    select from location where shop_id = ${shopId} and id = ${locationId} and is_active
  `)
  if (isActive) return
  const fault = { path: '/status', message: 'cannot be submitted at a location that is not in use' }
  throw unprocessable('unknown_location', 'This location is no longer in use. Cancel the count.', [fault])
}
