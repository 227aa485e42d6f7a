import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { type Fault, unprocessable } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'
import { refreshRules } from '../reorder/low-stock.ts'
import { levelKey, type StockChange, type StockLine, type SummedLine, sumLines } from './changes.ts'
import { queuePushes } from './push.ts'

/*
 * This file, `platform-updates.ts` and `settle.ts` are the only writers of stock_level and stock_movement.
 * `quantity` (shown) is the sum of a level's movements, `platform_quantity` what the platform last reported. Their
 * difference is pending: the sum of the level's lines in pushes that are queued, sending or failed.
 *   step                                            quantity  platform_quantity  pending
 *   start                                                 10                 10        0
 *   a receipt adds 2 (`moveStock`)                        12                 10       +2
 *   the platform sells 3 (`applyPlatformLevels`)           9                  7       +2
 *   the platform accepts the push (`settleLevels`)         9                  9        0
 * Lock order, which prevents deadlocks: document, variants by id, levels by (variant, location), reorder rules by id.
 */

const maxQuantity = 1_000_000_000
const Level = Type.Object({ variantId: Id, locationId: Id, quantity: Type.Integer() })
export type Level = Static<typeof Level>
export type MovedLevel = Level & { delta: number }

/**
 * Writes levels, movements, pushes with their job, and the rules' stock and alerts, in the caller's transaction. Lines
 * are summed per level. Throws insufficient_stock with every such line, and quantity_too_large above 1 000 000 000
 * pieces.
 */
export async function moveStock(
  tx: Db,
  shopId: number,
  change: StockChange,
  lines: readonly StockLine[],
): Promise<MovedLevel[]> {
  const summed = sumLines(lines)
  if (summed.length === 0) return []
  const { kind, reference, actor, form } = change
  // a `set` may go from the minimum to the maximum; a larger delta does not fit the column
  const maxDelta = form === 'set' ? 2 * maxQuantity : maxQuantity
  refuseTooLarge(summed.filter(({ delta }) => Math.abs(delta) > maxDelta))
  await lockVariants(
    tx,
    shopId,
    summed.map(({ variantId }) => variantId),
  )
  const rows = summed.map(({ variantId, locationId, delta, reason }) => [
    variantId,
    locationId,
    delta,
    reason,
  ])
  const levels = await tx.any(sql.type(row(Level))`
    with line as (
      select * from ${sql.unnest(rows, ['int8', 'int8', 'int4', 'text'])}
        as line (variant_id, location_id, delta, reason)
    ),
    moved as (
      insert into stock_level as l (shop_id, variant_id, location_id, quantity)
      select ${shopId}, variant_id, location_id, delta
      from line
      order by variant_id, location_id
      on conflict (shop_id, variant_id, location_id) do update
      set quantity = l.quantity + excluded.quantity, updated_at = now()
      returning variant_id, location_id, quantity
    ),
    written as (
      insert into stock_movement (
        shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, reason, reference, actor, occurred_at
      )
      select ${shopId}, variant_id, location_id, moved.quantity - line.delta, moved.quantity, ${kind}, line.reason,
        ${reference}, ${actor}, clock_timestamp() -- in the order in which the levels were locked
      from moved
      join line using (variant_id, location_id)
      where line.delta <> 0
      order by variant_id, location_id
    )
    select variant_id, location_id, quantity from moved
  `)
  const quantityOf = new Map(levels.map((level) => [levelKey(level), level.quantity]))
  const after = summed.map((line) => ({ ...line, quantity: quantityOf.get(levelKey(line)) ?? 0 }))
  refuseTooLarge(after.filter(({ quantity }) => Math.abs(quantity) > maxQuantity))
  if (!change.allowNegative)
    refuseInsufficient(after.filter(({ delta, quantity }) => delta < 0 && quantity < 0))
  await queuePushes(tx, shopId, change, summed)
  await refreshRules(
    tx,
    shopId,
    summed.map(({ variantId }) => variantId),
  )
  return after
}

/** Locks levels with their variants and returns their quantities by `levelKey`. Creates missing levels with 0. */
export async function lockLevels(
  tx: Db,
  shopId: number,
  levelKeys: readonly Pick<Level, 'variantId' | 'locationId'>[],
): Promise<ReadonlyMap<string, number>> {
  if (levelKeys.length === 0) return new Map()
  await lockVariants(
    tx,
    shopId,
    levelKeys.map(({ variantId }) => variantId),
  )
  const locked = keysFragment(levelKeys)
  await createMissing(tx, shopId, locked)
  const levels = await tx.any(sql.type(row(Level))`
    select l.variant_id, l.location_id, l.quantity
    from stock_level l
    join ${locked} on level_key.variant_id = l.variant_id and level_key.location_id = l.location_id
    where l.shop_id = ${shopId}
    order by l.variant_id, l.location_id
    for no key update of l
  `)
  return new Map(levels.map((level) => [levelKey(level), level.quantity]))
}

/** Locks variants before their levels and rules: no other transaction can then change or create these. */
export async function lockVariants(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  const ids = sql.array([...new Set(variantIds)], 'int8')
  await tx.query(sql.typeAlias('void')`
    select id from variant where shop_id = ${shopId} and id = any(${ids}) order by id for no key update
  `)
}

/** Writes a `repair` movement for each level that differs from the sum of its movements; returns how many. */
export async function repairLedger(
  tx: Db,
  shopId: number,
  levelKeys: readonly Pick<Level, 'variantId' | 'locationId'>[],
): Promise<number> {
  if (levelKeys.length === 0) return 0
  await lockLevels(tx, shopId, levelKeys)
  return tx.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
    with written as (
      insert into stock_movement (
        shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, reason
      )
      select l.shop_id, l.variant_id, l.location_id, ledger.sum, l.quantity, 'repair',
        'The movements did not add up to the level.'
      from stock_level l
      join ${keysFragment(levelKeys)}
        on level_key.variant_id = l.variant_id and level_key.location_id = l.location_id
      cross join lateral (${sumOfMovements}) ledger
      where l.shop_id = ${shopId} and ledger.sum <> l.quantity
      order by l.variant_id, l.location_id
      returning 1
    )
    select count(*) from written
  `)
}

export const sumOfMovements = sql.fragment`
  select coalesce(sum(m.delta), 0)::int as sum
  from stock_movement m
  where m.shop_id = l.shop_id and m.variant_id = l.variant_id and m.location_id = l.location_id
`

async function createMissing(
  tx: Db,
  shopId: number,
  levelKeys: ReturnType<typeof keysFragment>,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into stock_level (shop_id, variant_id, location_id)
    select ${shopId}::bigint, variant_id, location_id
    from ${levelKeys}
    order by variant_id, location_id
    on conflict do nothing
  `)
}

function keysFragment(levelKeys: readonly Pick<Level, 'variantId' | 'locationId'>[]) {
  const distinct = [...new Map(levelKeys.map((level) => [levelKey(level), level])).values()]
  const rows = distinct.map(({ variantId, locationId }) => [variantId, locationId])
  return sql.fragment`${sql.unnest(rows, ['int8', 'int8'])} as level_key (variant_id, location_id)`
}

function refuseTooLarge(lines: readonly SummedLine[]): void {
  if (lines.length === 0) return
  throw unprocessable(
    'quantity_too_large',
    'A stock level holds at most 1 000 000 000 pieces.',
    faultsOf(lines, () => 'exceeds the maximum of 1 000 000 000 pieces'),
  )
}

function refuseInsufficient(lines: readonly (SummedLine & { quantity: number })[]): void {
  if (lines.length === 0) return
  throw unprocessable(
    'insufficient_stock',
    'There is not enough stock for this change.',
    faultsOf(lines, ({ quantity, delta }) => `exceeds the stock on hand: ${Math.max(quantity - delta, 0)}`),
  )
}

function faultsOf<T extends SummedLine>(lines: readonly T[], describe: (line: T) => string): Fault[] {
  return lines.flatMap((line) => line.paths.map((path) => ({ path, message: describe(line) })))
}
