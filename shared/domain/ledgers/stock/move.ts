import { type Static, Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'
import { type Fault, unprocessable } from '../../../errors.ts'
import { jobFlags } from '../../../queue/job-flags.ts'
import { jobs, priorities } from '../../../queue/jobs.ts'
import { Nullable } from '../../../schemas/common.ts'
import { defaultReasons } from '../../records/shops/adjustment-reasons.ts'
import { type LevelChange, levelKey, type StockChange, type StockLine, sumLines } from './changes.ts'
import { platformReasonOf } from './reasons.ts'

/*
 * `functions/move_stock.sql` and `writeSteps` (`level-states.ts`) write stock_level and stock_movement, and
 * `repairLedger` writes missing movements. Nothing else does.
 * `quantity` (shown) is the sum of a level's movements, `platform_quantity` what the platform last reported. Their
 * difference is pending: the sum of the level's lines in pushes that are queued, sending or failed.
 *   step                                            quantity  platform_quantity  pending
 *   start                                                 10                 10        0
 *   a receipt adds 2 (`moveStock`)                        12                 10       +2
 *   the platform sells 3 (`applyPlatformLevels`)           9                  7       +2
 *   the platform accepts the push (`settleLevels`)         9                  9        0
 * Lock order, which prevents deadlocks: document, variants by id, levels by (variant, location), reorder rules by id.
 */

export type LevelKey<Id = number> = { variantId: Id; locationId: Id }
type MovedLevel = LevelKey<string> & { previousQuantity: number; newQuantity: number }

const Moved = Type.Object({
  line: Type.Integer(),
  previousQuantity: Type.Integer(),
  newQuantity: Nullable(Type.Integer()),
  fault: Nullable(
    Type.Union([
      Type.Literal('insufficient'),
      Type.Literal('too_large'),
      Type.Literal('unresolved'),
      Type.Literal('unlisted_reason'),
    ]),
  ),
})
type Moved = Static<typeof Moved>

/**
 * Writes levels, movements, pushes with their job, and the rules' stock and alerts, in one statement
 * (`functions/move_stock.sql`). Lines are summed per level. Throws insufficient_stock with every such line, and quantity_too_large
 * above 1 000 000 000 pieces. Returns how many levels changed.
 */
export async function moveStock(
  db: Db,
  shopId: number,
  change: StockChange,
  lines: readonly StockLine[],
): Promise<number> {
  const changes = sumLines(lines).filter(({ amount }) => amount !== 0)
  if (changes.length === 0) return 0
  const rows = await db.any(sql.type(row(Moved))`
    select line, previous_quantity, new_quantity, fault
    from move_stock(
      ${shopId},
      ${changeJson(shopId, change)},
      ${arrayOf('int8', changes, ({ variantId }) => variantId)},
      ${arrayOf('int8', changes, ({ locationId }) => locationId)},
      ${arrayOf('int8', changes, ({ amount }) => amount)},
      ${arrayOf('text', changes, ({ reason }) => reason)},
      ${arrayOf('text', changes, ({ reason }) => change.platformReason ?? platformReasonOf(reason))}
    )
    where fault is not null
  `)
  requireMovable(rows, changes)
  return changes.length
}

/**
 * The same for levels that the platform's ids name, in one statement, too. `isAbsolute` sets each level to its amount. A refused
 * request changes nothing, and the result names the fault:
 *   unlisted_reason  the shop requires reasons, and one of those given is not in its list
 *   unresolved       an id is not one of an active location or of a tracked variant of the shop
 */
export async function moveStockByGid(
  db: Db,
  shopId: number,
  change: StockChange & { isAbsolute: boolean },
  changes: readonly LevelChange<string>[],
  givenReasons: readonly string[],
): Promise<MovedLevel[] | 'unlisted_reason' | 'unresolved'> {
  const rows = await db.any(sql.type(row(Moved))`
    select line, previous_quantity, new_quantity, fault
    from move_stock_by_gid(
      ${shopId},
      ${changeJson(shopId, change, { reasons: [...new Set(givenReasons)], defaultReasons })},
      ${arrayOf('text', changes, ({ variantId }) => variantId)},
      ${arrayOf('text', changes, ({ locationId }) => locationId)},
      ${arrayOf('int8', changes, ({ amount }) => amount)},
      ${arrayOf('text', changes, ({ reason }) => reason)},
      ${arrayOf('text', changes, ({ reason }) => platformReasonOf(reason))}
    )
  `)
  const fault = rows[0]?.fault
  if (fault === 'unlisted_reason' || fault === 'unresolved') return fault
  requireMovable(rows, changes)
  return withChanges(rows, changes).map(({ variantId, locationId, previousQuantity, newQuantity }) => ({
    ...{ variantId, locationId, previousQuantity },
    newQuantity: newQuantity ?? previousQuantity,
  }))
}

function changeJson(
  shopId: number,
  { isAbsolute = false, allowNegative = false, ...change }: StockChange & { isAbsolute?: boolean },
  reasonRule: { reasons?: readonly string[]; defaultReasons?: readonly string[] } = {},
) {
  const { kind, form, reference, actor } = change
  const { name, maxAttempts, priority } = jobs.pushStock
  const job = {
    name,
    maxAttempts,
    priority: priorities[priority],
    flags: jobFlags(jobs.pushStock, { shopId }),
  }
  const json = JSON.stringify({ kind, form, reference, actor, isAbsolute, allowNegative, job, ...reasonRule })
  return sql.fragment`${json}::jsonb`
}

/** Throws quantity_too_large and insufficient_stock, with the change of each line that has a fault. */
function requireMovable<Id>(rows: readonly Moved[], changes: readonly LevelChange<Id>[]): void {
  const moved = withChanges(rows, changes)
  refuseTooLarge(moved.filter(({ fault }) => fault === 'too_large'))
  refuseInsufficient(moved.filter(({ fault }) => fault === 'insufficient'))
}

const withChanges = <Id>(rows: readonly Moved[], changes: readonly LevelChange<Id>[]) =>
  rows.flatMap((row) => {
    const change = changes[row.line - 1]
    return change ? [{ ...change, ...row }] : []
  })

/** Locks levels with their variants. Creates missing levels with 0. */
export async function lockLevels(tx: Db, shopId: number, keys: readonly LevelKey[]): Promise<void> {
  if (keys.length === 0) return
  await lockVariants(
    tx,
    shopId,
    keys.map(({ variantId }) => variantId),
  )
  const rows = distinctKeys(keys)
  await tx.query(sql.typeAlias('void')`
    insert into stock_level (shop_id, variant_id, location_id)
    select ${shopId}::bigint, variant_id, location_id
    from ${rows}
    order by variant_id, location_id
    on conflict do nothing
  `)
  await tx.query(sql.typeAlias('void')`
    select
    from stock_level l
    join ${rows} on level_key.variant_id = l.variant_id and level_key.location_id = l.location_id
    where l.shop_id = ${shopId}
    order by l.variant_id, l.location_id
    for no key update of l
  `)
}

/** Locks variants before their levels and rules: no other transaction can then change or create these. */
export async function lockVariants(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  const ids = sql.array([...new Set(variantIds)], 'int8')
  await tx.query(sql.typeAlias('void')`
    select id from variant where shop_id = ${shopId} and id = any(${ids}) order by id for no key update
  `)
}

/** Writes a `repair` movement for each level that differs from the sum of its movements; returns how many. */
export async function repairLedger(tx: Db, shopId: number, levelKeys: readonly LevelKey[]): Promise<number> {
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
      join ${distinctKeys(levelKeys)}
        on level_key.variant_id = l.variant_id and level_key.location_id = l.location_id
      cross join lateral (${sumOfMovements(shopId, 'l')}) ledger
      where l.shop_id = ${shopId} and ledger.sum <> l.quantity
      order by l.variant_id, l.location_id
      returning 1
    )
    select count(*) from written
  `)
}

/** SQL: the sum of the movements of a level, from its alias. */
export const sumOfMovements = (shopId: number, level: string) => sql.fragment`
  select coalesce(sum(m.delta), 0)::int as sum
  from stock_movement m
  where m.shop_id = ${shopId} and m.variant_id = ${sql.identifier([level, 'variant_id'])}
    and m.location_id = ${sql.identifier([level, 'location_id'])}
`

function distinctKeys(keys: readonly LevelKey[]) {
  const distinct = [...new Map(keys.map((key) => [levelKey(key), key])).values()]
  const rows = distinct.map(({ variantId, locationId }) => [variantId, locationId])
  return sql.fragment`${sql.unnest(rows, ['int8', 'int8'])} as level_key (variant_id, location_id)`
}

type Line = Pick<LevelChange, 'paths'>

function refuseTooLarge(lines: readonly Line[]): void {
  if (lines.length === 0) return
  throw unprocessable(
    'quantity_too_large',
    'A stock level holds at most 1 000 000 000 pieces.',
    faultsOf(lines, () => 'exceeds the maximum of 1 000 000 000 pieces'),
  )
}

function refuseInsufficient(lines: readonly (Line & Moved)[]): void {
  if (lines.length === 0) return
  throw unprocessable(
    'insufficient_stock',
    'There is not enough stock for this change. Lower the quantity.',
    faultsOf(lines, ({ previousQuantity }) => `only ${Math.max(previousQuantity, 0)} in stock`),
  )
}

function faultsOf<T extends Line>(lines: readonly T[], describe: (line: T) => string): Fault[] {
  return lines.flatMap((line) => line.paths.map((path) => ({ path, message: describe(line) })))
}
