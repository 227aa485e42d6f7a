import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { AppError, conflict, notFound } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'
import {
  CreatedStockCount,
  StockCount,
  type StockCountFilter,
  type StockCountInput,
  StockCountListItem,
  type StockCountPatch,
  type StockCountStatus,
  type UpdatedStockCount,
} from '../../schemas/stock-counts.ts'
import { binAt } from '../bins/bins.ts'
import { variantTitle } from '../catalogue/variants.ts'
import { isoInstant } from '../date-range.ts'
import { type Page, pageSize, toPage } from '../pages.ts'
import { cleared } from '../patch.ts'
import { enqueueReadLevels } from '../stock/read-requests.ts'
import { resolveLevelKeys } from '../stock/resolve.ts'
import { addEntries, type CountEntry, changedEntries, sumEntries } from './entries.ts'
import { correctedSince, isRead, onHandOfItem } from './expected.ts'
import { storeExpectedQuantities, submitNumbers } from './submit.ts'

/* draft -> submitted moves the levels by counted - expected on hand; draft -> cancelled moves nothing. */

/** The shop's counts, newest first. */
export async function listStockCounts(
  db: Db,
  shopId: number,
  filter: StockCountFilter,
): Promise<Page<StockCountListItem>> {
  const records = await db.any(sql.type(row(StockCountListItem))`
    select c.id, w.gid as location_id, w.name as location_name, c.status, c.item_count, c.created_at
    from stock_count c
    join location w on w.shop_id = c.shop_id and w.id = c.location_id
    where ${sql.and([
      sql.fragment`c.shop_id = ${shopId}`,
      filter.status !== undefined && sql.fragment`c.status = ${filter.status}`,
      filter.cursor !== undefined && sql.fragment`c.id < ${filter.cursor}`,
    ])}
    order by c.id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPage(records, filter)
}

/** Starts a count of one location with its first items, counted or not. Throws the errors of `addEntries`. */
export function createStockCount(
  db: Db,
  shopId: number,
  actor: string,
  input: StockCountInput,
): Promise<CreatedStockCount> {
  return db.transaction(async (tx) => {
    const given = [{ id: input.locationId, path: '/locationId' }]
    const { locations } = await resolveLevelKeys(tx, shopId, { locations: given })
    const [locationId = 0] = locations
    const created = await tx.one(sql.type(row(CreatedStockCount))`
      insert into stock_count (shop_id, location_id, notes, created_by)
      values (${shopId}, ${locationId}, ${input.notes ?? ''}, ${actor})
      returning id, status, ${input.locationId} as location_id, created_at
    `)
    const count = { id: created.id, locationId, itemCount: 0 }
    const counted = await addEntries(tx, shopId, count, sumEntries(input.items))
    await enqueueReadLevels(tx, shopId, counted, { priority: 'count' })
    return created
  })
}

/**
 * A count with its items, in the order of entry. Items not counted yet expect what is on hand now; of a draft, others
 * what was on hand at their entry, with the corrections since then. Throws not_found.
 */
export async function getStockCount(db: Db, shopId: number, id: number): Promise<StockCount> {
  const count = await db.maybeOne(sql.type(row(StockCount))`
    select c.id, w.gid as location_id, w.name as location_name, c.status, c.item_count, c.notes, c.created_by,
      c.created_at, c.updated_at, c.submitted_at, c.submitted_by, c.cancelled_at, c.stale_item_count,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'variantId', v.gid, 'sku', v.sku, 'title', ${variantTitle('v', 'p')},
          'barcode', v.barcode, 'bin', ${binAt(shopId, sql.fragment`i.variant_id`, sql.fragment`c.location_id`)},
          'countedQuantity', i.counted_quantity,
          'expectedQuantity', expected.quantity,
          'countedAt', ${isoInstant(sql.fragment`i.counted_at`)},
          'readAt', case when ${isRead} then ${isoInstant(sql.fragment`i.read_at`)} end,
          'variance', case when c.status <> 'draft' or ${isRead} then i.counted_quantity - expected.quantity end
        ) order by i.position), '[]')
        from stock_count_item i
        join variant v on v.shop_id = i.shop_id and v.id = i.variant_id
        join product p on p.shop_id = v.shop_id and p.id = v.product_id
        cross join lateral (
          select case
            when c.status <> 'draft' then i.expected_quantity
            when i.counted_quantity is null then ${onHandOfItem(shopId, sql.fragment`c.location_id`)}
            else i.expected_quantity + (${correctedSince(shopId, sql.fragment`c.location_id`)})
          end as quantity
        ) expected
        where i.shop_id = c.shop_id and i.count_id = c.id
      ) as items
    from stock_count c
    join location w on w.shop_id = c.shop_id and w.id = c.location_id
    where c.shop_id = ${shopId} and c.id = ${id}
  `)
  if (!count) throw notFound('Stock count')
  return count
}

/**
 * Merges entries by variant, so that several people can count concurrently, and submits or cancels the count when the
 * patch has that status; all in one transaction. Repeating a transition changes nothing and returns `alreadyApplied`.
 * Throws conflict when the count has ended, and the errors of `sumEntries`, `addEntries` and `submitNumbers`; with
 * levels_not_read the entries are stored all the same.
 */
export async function updateStockCount(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  patch: StockCountPatch,
): Promise<UpdatedStockCount> {
  const outcome = await db.transaction(async (tx) => {
    const count = await lockCount(tx, shopId, id)
    const entries = await changedEntries(tx, shopId, id, sumEntries(patch.items ?? []))
    const alreadyApplied = patch.status === count.status && count.status !== 'draft'
    const hasChanges =
      entries.length > 0 ||
      (patch.status ?? count.status) !== count.status ||
      (cleared(patch.notes) ?? count.notes) !== count.notes
    if (count.status !== 'draft' && (hasChanges || !alreadyApplied))
      throw conflict(endedMessages[count.status])
    const refusal = hasChanges ? await applyPatch(tx, shopId, actor, count, { patch, entries }) : null
    return refusal ?? { ...(await getStockCount(tx, shopId, id)), alreadyApplied }
  })
  if (outcome instanceof AppError) throw outcome
  return outcome
}

/** Returns the error when the count must wait for readings: then only entries and notes are stored. */
async function applyPatch(
  tx: Db,
  shopId: number,
  actor: string,
  count: LockedCount,
  { patch, entries }: { patch: StockCountPatch; entries: readonly CountEntry[] },
): Promise<AppError | null> {
  const counted = await addEntries(tx, shopId, count, entries)
  const outcome =
    patch.status === 'submitted'
      ? await submitNumbers(tx, shopId, actor, count, patch).catch(notYet)
      : { staleItemCount: 0 }
  const refusal = outcome instanceof AppError ? outcome : null
  const status = refusal ? 'draft' : (patch.status ?? 'draft')
  if (status !== 'draft') await storeExpectedQuantities(tx, shopId, count)
  const staleItemCount = outcome instanceof AppError ? 0 : outcome.staleItemCount
  await saveCount(tx, shopId, actor, count, { notes: patch.notes, status, staleItemCount })
  await enqueueReadLevels(tx, shopId, counted, { priority: 'count' })
  return refusal
}

function notYet(error: unknown): AppError {
  if (error instanceof AppError && error.kind === 'not_yet') return error
  throw error
}

const LockedCount = Type.Object({
  ...Type.Pick(StockCount, ['id', 'status', 'notes', 'itemCount']).properties,
  locationId: Id,
})
type LockedCount = Static<typeof LockedCount>

const endedMessages = {
  submitted: 'This count has been submitted and can no longer change. Start a new count to correct it.',
  cancelled: 'This count has been cancelled. Start a new one instead.',
}

/** Of two concurrent requests to submit a count, the second waits here and then finds it submitted. */
async function lockCount(tx: Db, shopId: number, id: number): Promise<LockedCount> {
  const count = await tx.maybeOne(sql.type(row(LockedCount))`
    select id, status, notes, item_count, location_id
    from stock_count
    where shop_id = ${shopId} and id = ${id}
    for update
  `)
  if (!count) throw notFound('Stock count')
  return count
}

type SavedCount = {
  notes: StockCountPatch['notes']
  status: StockCountStatus
  staleItemCount: number
}

async function saveCount(
  tx: Db,
  shopId: number,
  actor: string,
  { id }: LockedCount,
  { notes, status, staleItemCount }: SavedCount,
): Promise<void> {
  await tx.one(sql.typeAlias('id')`
    update stock_count
    set status = ${status},
      notes = coalesce(${cleared(notes)}, notes),
      stale_item_count = ${staleItemCount},
      submitted_at = case when ${status} = 'submitted' then now() end,
      submitted_by = case when ${status} = 'submitted' then ${actor} end,
      cancelled_at = case when ${status} = 'cancelled' then now() end,
      updated_at = now()
    where shop_id = ${shopId} and id = ${id} and status = 'draft'
    returning id
  `)
}
