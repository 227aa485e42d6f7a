import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { CreatedStockCount, StockCount, type StockCountInput } from '../../../schemas/stock-counts.ts'
import { isoInstant } from '../../kit/date-range.ts'
import { binAt } from '../../ledgers/stock/bins/bins.ts'
import { enqueueReadLevels } from '../../ledgers/stock/platform/read-requests.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { changedEntries, sumEntries } from './entries.ts'
import { isHiddenCount, phaseOf } from './phase.ts'
import { accuracyOf, isApproved, linesOf, sumsOf, variancesOf } from './result.ts'
import { addSheet, nothingToCount } from './sheet.ts'
import { addEntries } from './store-entries.ts'

/*
 * phase        how it begins                                    takes numbers of          ends with
 * counting     `createStockCount`, or a plan at night           all products              finish, submit (not blind), cancel
 * review       `finishCounting`                                 none                      recount, submit, cancel
 * recounting   `recountVariances`                               the listed products, by   finish, cancel
 *                                                               another person than before
 * submitted    `updateStockCount`: levels move by counted - expected on hand
 * cancelled    `updateStockCount`: nothing moves
 * The status is `draft` in the first three. A blind count shows what is expected in review and after its submit alone.
 */

/**
 * Starts a count of one location, with the products of a filter and with its first items, counted or not. Throws the
 * errors of `addSheet` and `addEntries`, and nothing_to_count when the filter matches no product.
 */
export function createStockCount(
  db: Db,
  shopId: number,
  actor: string,
  input: StockCountInput,
): Promise<CreatedStockCount> {
  const { filter = null, blind = false, device, items = [] } = input
  return db.transaction(async (tx) => {
    const given = [{ id: input.locationId, path: '/locationId' }]
    const { locations } = await resolveLevelKeys(tx, shopId, { locations: given })
    const [locationId = 0] = locations
    const created = await tx.one(sql.type(row(CreatedStockCount))`
      insert into stock_count (shop_id, location_id, notes, created_by, blind, filter)
      values (
        ${shopId}, ${locationId}, ${input.notes ?? ''}, ${actor}, ${blind},
        ${filter === null ? null : JSON.stringify(filter)}::jsonb
      )
      returning id, status, ${input.locationId} as location_id, created_at
    `)
    const { id } = created
    const found = filter === null ? 0 : await addSheet(tx, shopId, { id, locationId, itemCount: 0 }, filter)
    if (filter !== null && found === 0 && items.length === 0) throw nothingToCount()
    const count = { id, locationId, itemCount: found, round: 1, createdBy: actor, recount: null }
    const entries = await changedEntries(tx, shopId, count, { actor, device }, sumEntries(items))
    const counted = await addEntries(tx, shopId, count, { actor, device }, entries)
    await enqueueReadLevels(tx, shopId, counted, { priority: 'count' })
    return created
  })
}

/** SQL: a field that a blind count hides while numbers are taken. */
const shown = (value: ReturnType<typeof sql.fragment>) =>
  sql.fragment`case when not ${isHiddenCount('c')} then ${value} end`

/** SQL: on the list of the running recount, and not counted in it yet: the number to check is hidden. */
const isAwaited = (shopId: number) => sql.fragment`(
  c.status = 'draft' and c.finished_at is null and c.round > 1 and x.round = c.round and not exists (
    select
    from stock_count_entry e
    where e.shop_id = ${shopId} and e.count_id = x.count_id and e.variant_id = x.variant_id and e.round = c.round
  )
)`

/** SQL: what each counter counted; during a recount only in it, since its counters must not know the first numbers. */
const entriesOfItem = (shopId: number, actor: string) => sql.fragment`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'round', e.round, 'person', e.person, 'device', e.device, 'countedQuantity', e.counted_quantity,
    'countedAt', ${isoInstant(sql.fragment`e.counted_at`)}, 'isOwn', e.person = ${actor}
  ) order by e.round, e.counted_at, e.person, e.device), '[]')
  from stock_count_entry e
  where e.shop_id = ${shopId} and e.count_id = x.count_id and e.variant_id = x.variant_id
    and (e.round = c.round or x.round < c.round or c.finished_at is not null or c.status <> 'draft')
)`

const Items = Type.Pick(StockCount, ['items'])

/**
 * A count with its items, in the order of entry. Items not counted yet expect what is on hand now; of a draft, others
 * what was on hand at their entry, with the corrections since then. Throws not_found.
 */
export async function getStockCount(db: Db, shopId: number, id: number, actor: string): Promise<StockCount> {
  const count = await db.maybeOne(sql.type(row(Type.Omit(StockCount, ['items'])))`
    select c.id, w.gid as location_id, w.name as location_name, c.status, ${phaseOf('c')} as phase, c.blind,
      ${isHiddenCount('c')} as is_hidden, c.filter, c.plan_id, c.item_count, c.notes, c.reason, c.recount, c.created_by,
      c.created_at, c.updated_at, c.finished_at, c.finished_by, c.submitted_at, c.submitted_by, c.cancelled_at,
      c.stale_item_count,
      case
        when c.status = 'draft' and not ${isHiddenCount('c')} and ${phaseOf('c')} <> 'recounting' then ${variancesOf(shopId, 'c')}
      end as variances_version,
      case when approval.is_valid then c.approved_at end as approved_at,
      case when approval.is_valid then c.approved_by end as approved_by,
      ${shown(sql.fragment`sums.variance_value`)} as variance_value,
      ${shown(sql.fragment`sums.absolute_variance_value`)} as absolute_variance_value,
      ${shown(sql.fragment`sums.uncosted_item_count`)} as uncosted_item_count,
      ${shown(accuracyOf(sql.fragment`sums.variance_pieces`, sql.fragment`sums.expected_pieces`))} as accuracy,
      ${shown(accuracyOf(sql.fragment`sums.absolute_variance_value`, sql.fragment`sums.expected_value`))}
        as accuracy_by_value,
      ${shown(sql.fragment`(
        c.status = 'draft' and not approval.is_valid and t.count_approval_value is not null
        and (coalesce(sums.moving_value, 0) > t.count_approval_value or sums.uncosted_moving_count > 0)
      )`)} as approval_needed
    from stock_count c
    join location w on w.shop_id = ${shopId} and w.id = c.location_id
    left join shop_setting t on t.shop_id = ${shopId}
    cross join lateral (select ${isApproved(shopId, 'c')} as is_valid) approval
    cross join lateral (${sumsOf(linesOf(shopId, 'c'), { isCompared: true })}) sums
    where c.shop_id = ${shopId} and c.id = ${id}
  `)
  if (!count) throw notFound('Stock count')
  const { items } = await db.one(sql.type(row(Items))`
    select coalesce(jsonb_agg(jsonb_build_object(
      'variantId', v.gid, 'sku', v.sku, 'title', ${variantTitle('v', 'p')}, 'barcode', v.barcode,
      'bin', ${binAt(shopId, sql.fragment`x.variant_id`, sql.fragment`c.location_id`)},
      'countedQuantity', case when not ${isAwaited(shopId)} then x.counted_quantity end,
      'expectedQuantity', ${shown(sql.fragment`x.expected`)},
      'countedAt', case when not ${isAwaited(shopId)} then ${isoInstant(sql.fragment`x.counted_at`)} end,
      'readAt', case when x.is_read and not ${isAwaited(shopId)} then ${isoInstant(sql.fragment`x.read_at`)} end,
      'variance', case when not ${isAwaited(shopId)} then ${shown(sql.fragment`x.variance`)} end,
      'unitCost', round(x.cost, 4),
      'varianceValue', case when not ${isAwaited(shopId)} and x.variance is not null then ${shown(sql.fragment`x.difference_value`)} end,
      'isRecount', c.round > 1 and x.round = c.round,
      'entries', ${entriesOfItem(shopId, actor)}
    ) order by x.position), '[]') as items
    from stock_count c
    cross join lateral (${linesOf(shopId, 'c')}) x
    join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where c.shop_id = ${shopId} and c.id = ${id}
  `)
  return { ...count, items }
}
