import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { type Fault, unprocessable } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'
import { refreshRules } from '../reorder/low-stock.ts'
import { levelKey, type StockChange, type StockLine, type SummedLine, sumLines } from './changes.ts'
import { queuePushes } from './push.ts'

/*
 * With `platform-levels.ts` and `settled-levels.ts` the only writer of stock_level and stock_movement. A level holds
 * two numbers: `quantity`, which we show, and `platform_quantity`, which the platform last said. What lies between
 * them is on its way to the platform (`stock-pushes.ts`) and survives its news. Whoever writes locks variants by id
 * (as the catalogue does), then levels in the order (variant, location), so two writers never deadlock. Documents are
 * locked before levels, reorder rules after them (`low-stock.ts`).
 */

const largest = 1_000_000_000
const Level = Type.Object({ variantId: Id, locationId: Id, quantity: Type.Integer() })
export type Level = Static<typeof Level>
/** A level after a change, and how far it moved. */
export type MovedLevel = Level & { delta: number }

/**
 * Moves stock by the lines' deltas, repeated levels summed first, and enqueues what the platform is to be told; all in
 * the transaction of the document behind it. Answers what the levels hold now. Throws insufficient_stock with every
 * line that takes more than there is, quantity_too_large beyond 1 000 000 000.
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
  // from the lowest level to the highest is twice the largest; more would not fit the column
  const maxMoved = form === 'set' ? 2 * largest : largest
  refuseTooLarge(summed.filter(({ delta }) => Math.abs(delta) > maxMoved))
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
  refuseTooLarge(after.filter(({ quantity }) => Math.abs(quantity) > largest))
  if (!change.allowNegative) refuseMissing(after.filter(({ delta, quantity }) => delta < 0 && quantity < 0))
  await queuePushes(tx, shopId, change, summed)
  await refreshRules(
    tx,
    shopId,
    summed.map(({ variantId }) => variantId),
  )
  return after
}

/**
 * Locks levels with their variants, those that are new to us with 0 pieces, and answers what they hold: for changes
 * that depend on it. They stay as they are until the transaction ends.
 */
export async function lockLevels(
  tx: Db,
  shopId: number,
  places: readonly Pick<Level, 'variantId' | 'locationId'>[],
): Promise<ReadonlyMap<string, number>> {
  if (places.length === 0) return new Map()
  await lockVariants(
    tx,
    shopId,
    places.map(({ variantId }) => variantId),
  )
  const wanted = placesFragment(places)
  await addMissing(tx, shopId, wanted)
  const levels = await tx.any(sql.type(row(Level))`
    select l.variant_id, l.location_id, l.quantity
    from stock_level l
    join ${wanted} on place.variant_id = l.variant_id and place.location_id = l.location_id
    where l.shop_id = ${shopId}
    order by l.variant_id, l.location_id
    for no key update of l
  `)
  return new Map(levels.map((level) => [levelKey(level), level.quantity]))
}

/**
 * Before levels and reorder rules: while a variant is locked nobody changes its stock, nor makes a level or a rule of
 * it. Whoever only refers to it, as an order line does, does not wait.
 */
export async function lockVariants(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  const ids = sql.array([...new Set(variantIds)], 'int8')
  await tx.query(sql.typeAlias('void')`
    select id from variant where shop_id = ${shopId} and id = any(${ids}) order by id for no key update
  `)
}

/**
 * Writes a movement for each of these levels that is not the sum of its movements: the level stays, and the ledger
 * fits it again. Answers how many were written.
 */
export async function repairLedger(
  tx: Db,
  shopId: number,
  places: readonly Pick<Level, 'variantId' | 'locationId'>[],
): Promise<number> {
  if (places.length === 0) return 0
  await lockLevels(tx, shopId, places)
  return tx.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
    with written as (
      insert into stock_movement (
        shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, reason
      )
      select l.shop_id, l.variant_id, l.location_id, ledger.sum, l.quantity, 'repair',
        'The movements did not add up to the level.'
      from stock_level l
      join ${placesFragment(places)} on place.variant_id = l.variant_id and place.location_id = l.location_id
      cross join lateral (${sumOfMovements}) ledger
      where l.shop_id = ${shopId} and ledger.sum <> l.quantity
      order by l.variant_id, l.location_id
      returning 1
    )
    select count(*) from written
  `)
}

/** What the ledger says of the level `l`. */
export const sumOfMovements = sql.fragment`
  select coalesce(sum(m.delta), 0)::int as sum
  from stock_movement m
  where m.shop_id = l.shop_id and m.variant_id = l.variant_id and m.location_id = l.location_id
`

async function addMissing(tx: Db, shopId: number, places: ReturnType<typeof placesFragment>): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into stock_level (shop_id, variant_id, location_id)
    select ${shopId}::bigint, variant_id, location_id
    from ${places}
    order by variant_id, location_id
    on conflict do nothing
  `)
}

function placesFragment(places: readonly Pick<Level, 'variantId' | 'locationId'>[]) {
  const distinct = [...new Map(places.map((place) => [levelKey(place), place])).values()]
  const rows = distinct.map(({ variantId, locationId }) => [variantId, locationId])
  return sql.fragment`${sql.unnest(rows, ['int8', 'int8'])} as place (variant_id, location_id)`
}

function refuseTooLarge(lines: readonly SummedLine[]): void {
  if (lines.length === 0) return
  throw unprocessable(
    'quantity_too_large',
    'A stock level holds at most 1 000 000 000 pieces.',
    faultsOf(lines, () => 'leads beyond 1 000 000 000 pieces'),
  )
}

function refuseMissing(lines: readonly (SummedLine & { quantity: number })[]): void {
  if (lines.length === 0) return
  throw unprocessable(
    'insufficient_stock',
    'There is not enough stock for this.',
    faultsOf(lines, ({ quantity, delta }) => `is more than there is: ${Math.max(quantity - delta, 0)}`),
  )
}

function faultsOf<T extends SummedLine>(lines: readonly T[], describe: (line: T) => string): Fault[] {
  return lines.flatMap((line) => line.paths.map((path) => ({ path, message: describe(line) })))
}
