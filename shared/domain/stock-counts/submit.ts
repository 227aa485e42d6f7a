import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { unprocessable } from '../../errors.ts'
import { Id, Timestamp } from '../../schemas/common.ts'
import { lockLevels, moveStock } from '../stock/move.ts'
import { levelOfItem } from './entries.ts'

type Count = { id: number; locationId: number }

const Place = Type.Object({ variantId: Id, locationId: Id })
const Target = Type.Object({
  variantId: Id,
  target: Type.Integer(),
  quantity: Type.Integer(),
  countedAt: Timestamp,
})

/**
 * Sets the levels of a locked count's location to what was counted, plus what has come and gone there since each
 * number was entered: a sale during the count is neither lost nor counted twice. Other counts, sets and repairs since
 * then say what is there and not what has moved, so two counts of one shelf do not add up. What the platform
 * tells late of the time before a number was entered is part of that number; the platform tells seconds, so the second
 * of the entry counts as after it. Numbers of variants that were deleted or are not counted any more move nothing.
 * Levels may end below zero: somebody bought what was not found. Throws quantity_too_large, and unknown_location when
 * the place has been closed since.
 */
export async function submitNumbers(tx: Db, shopId: number, actor: string, count: Count): Promise<void> {
  const { id, locationId } = count
  await requireOpen(tx, shopId, locationId)
  const places = await tx.any(sql.type(row(Place))`
    select variant_id, ${locationId}::bigint as location_id
    from stock_count_item
    where shop_id = ${shopId} and count_id = ${id} and counted_quantity is not null
  `)
  await lockLevels(tx, shopId, places)
  // + 0: while Postgres has no statistics of the shop, it would read all that its location has seen for each item
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

/** A count that ends keeps what was expected of the variants that nobody has counted. */
export async function keepExpected(tx: Db, shopId: number, { id, locationId }: Count): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update stock_count_item i
    set expected_quantity = ${levelOfItem(shopId, locationId)}
    where i.shop_id = ${shopId} and i.count_id = ${id} and i.counted_quantity is null
  `)
}

/** What is at a closed place cannot be changed on the platform either. */
async function requireOpen(tx: Db, shopId: number, locationId: number): Promise<void> {
  const isOpen = await tx.exists(sql.typeAlias('void')`
    select from location where shop_id = ${shopId} and id = ${locationId} and is_active
  `)
  if (isOpen) return
  const fault = { path: '/status', message: 'cannot be submitted at a location that is not in use' }
  throw unprocessable('unknown_location', 'This location is not in use any more. Cancel the count.', [fault])
}
