import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { type Fault, refuseFaults, unprocessable } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import type { StockCountPatch } from '../../../schemas/stock-counts.ts'
import { requireReason } from '../../ledgers/stock/adjustment-reasons.ts'
import type { StockChange } from '../../ledgers/stock/changes.ts'
import { lockLevels, moveStock } from '../../ledgers/stock/move.ts'
import { asQuantity, correctedSince, onHandOfItem } from './expected.ts'
import { approvalRequired, needsApproval, readResult, requireVariances } from './result.ts'
import { countUnread, isMoving } from './unread.ts'

type Count = { id: number; locationId: number }
type Submission = Pick<StockCountPatch, 'acceptStale' | 'variancesVersion'> & { reason: string }

const CountedLevel = Type.Object({ variantId: Id, locationId: Id })
const Difference = Type.Object({
  variantId: Id,
  sku: Type.String(),
  inventoryItemGid: Nullable(Type.String()),
  position: Type.Integer(),
  counted: Type.Integer(),
  expected: Type.Integer(),
  variance: Type.Integer(),
})
type Difference = Static<typeof Difference>

/**
 * Moves the levels of a locked count by counted - expected on hand, and pushes the difference. Sales, receipts and
 * shipments since the entry need no arithmetic, since a difference stays true. Corrections since then do
 * (`correctedSince`): of two counts that miss the same piece, the second finds it taken off.
 * Deleted and untracked variants move nothing; a level may become negative. `staleItemCount` lines were submitted
 * without a reading. Of variants that share an inventory item, one moves its level. Throws levels_not_read, stale_version when
 * `variancesVersion` is that of other variances, duplicate_line, approval_required, the errors of `requireReason`, quantity_too_large, and
 * unknown_location when the location is no longer active.
 */
export async function submitNumbers(
  tx: Db,
  shopId: number,
  actor: string,
  count: Count,
  { acceptStale = false, variancesVersion, reason }: Submission,
): Promise<{ staleItemCount: number }> {
  const { id, locationId } = count
  await requireActive(tx, shopId, locationId)
  const levels = await tx.any(sql.type(row(CountedLevel))`
    select variant_id, ${locationId}::bigint as location_id
    from stock_count_item
    where shop_id = ${shopId} and count_id = ${id} and counted_quantity is not null
  `)
  // before the result is read: no correction can change the variances between these checks and the movement
  await lockLevels(tx, shopId, levels)
  await requireVariances(tx, shopId, id, variancesVersion)
  const staleItemCount = await countUnread(tx, shopId, id, acceptStale)
  const result = await readResult(tx, shopId, id)
  if (needsApproval(result)) throw approvalRequired(result)
  await requireReason(tx, shopId, reason, result.differingMovingCount > 0 ? ['/reason'] : [])
  const differences = await tx.any(sql.type(row(Difference))`
    select i.variant_id, v.sku, v.inventory_item_gid, i.position, i.counted_quantity as counted, (i.expected_quantity + since.delta)::int as expected,
      (i.counted_quantity - i.expected_quantity - since.delta)::int as variance
    from stock_count_item i
    join variant v on v.shop_id = ${shopId} and v.id = i.variant_id
    cross join lateral (${correctedSince(shopId, { item: 'i', locationId: sql.fragment`${locationId}` })}) since
    where i.shop_id = ${shopId} and i.count_id = ${id} and ${isMoving('i', 'v')}
    order by i.position
  `)
  const change: StockChange = {
    kind: 'count',
    form: 'adjust',
    reference: `stock_count/${id}`,
    actor,
    platformReason: 'cycle_count_available',
    allowNegative: true,
  }
  await moveStock(
    tx,
    shopId,
    change,
    oncePerItem(differences).map(({ variantId, variance: delta }) => ({
      variantId,
      locationId,
      delta,
      reason,
    })),
  )
  const rows = differences.map(({ variantId, expected }) => [variantId, expected])
  await tx.query(sql.typeAlias('void')`
    update stock_count_item i
    set expected_quantity = line.expected,
      submitted_quantity = (
        select quantity
        from stock_level
        where shop_id = ${shopId} and variant_id = line.variant_id and location_id = ${locationId}
      )
    from ${sql.unnest(rows, ['int8', 'int4'])} as line (variant_id, expected)
    where i.shop_id = ${shopId} and i.count_id = ${id} and i.variant_id = line.variant_id
  `)
  return { staleItemCount }
}

const nameOf = ({ sku, position }: Difference) => sku || `line ${position}`

/** One line for each inventory item. Throws duplicate_line when variants of one item have different numbers. */
function oncePerItem(lines: readonly Difference[]): Difference[] {
  const first = new Map<string, Difference>()
  const faults = lines.flatMap((line): Fault[] => {
    const key = line.inventoryItemGid ?? String(line.variantId)
    const earlier = first.get(key) ?? line
    first.set(key, earlier)
    if (earlier.counted === line.counted) return []
    const numbers = `${line.counted} of ${nameOf(line)} contradicts ${earlier.counted} of ${nameOf(earlier)}`
    return [
      { path: '/status', message: `cannot be submitted: ${numbers}, which has the same inventory item` },
    ]
  })
  refuseFaults(
    'duplicate_line',
    'Variants that share an inventory item have different numbers in this count. Remove one of the numbers, or enter the same.',
    faults,
  )
  return [...first.values()]
}

/** Stores the quantity on hand as the expected quantity of the items without a counted quantity. Runs when counts end. */
export async function storeExpectedQuantities(tx: Db, shopId: number, ids: readonly number[]): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update stock_count_item i
    set expected_quantity = ${asQuantity(onHandOfItem(shopId, { item: 'i', locationId: sql.fragment`c.location_id` }))}
    from stock_count c
    where i.shop_id = ${shopId} and i.count_id = any(${sql.array([...ids], 'int8')}) and i.counted_quantity is null
      and c.shop_id = ${shopId} and c.id = i.count_id
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
