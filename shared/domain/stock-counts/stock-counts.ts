import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { conflict, notFound } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'
import {
  CreatedStockCount,
  StockCount,
  type StockCountFilter,
  type StockCountInput,
  StockCountListItem,
  type StockCountPatch,
  type UpdatedStockCount,
} from '../../schemas/stock-counts.ts'
import { variantTitle } from '../catalogue/variants.ts'
import { type Page, pageSize, toPage } from '../pages.ts'
import { cleared } from '../patch.ts'
import { resolveLevelKeys } from '../stock/resolve.ts'
import { addEntries, changedEntries, levelOfItem, sumEntries } from './entries.ts'
import { storeExpectedQuantities, submitNumbers } from './submit.ts'

/* draft -> submitted sets the levels to the counted quantities; draft -> cancelled moves nothing. */

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
    await addEntries(tx, shopId, { id: created.id, locationId, itemCount: 0 }, sumEntries(input.items))
    return created
  })
}

/** A count with its items, in the order of entry. Items not counted yet expect the current level. Throws not_found. */
export async function getStockCount(db: Db, shopId: number, id: number): Promise<StockCount> {
  const count = await db.maybeOne(sql.type(row(StockCount))`
    select c.id, w.gid as location_id, w.name as location_name, c.status, c.item_count, c.notes, c.created_by,
      c.created_at, c.updated_at, c.submitted_at, c.submitted_by, c.cancelled_at,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'variantId', v.gid, 'sku', v.sku, 'title', ${variantTitle('v', 'p')},
          'barcode', v.barcode, 'countedQuantity', i.counted_quantity,
          'expectedQuantity', case
            when c.status = 'draft' and i.counted_quantity is null then ${levelOfItem(shopId, sql.fragment`c.location_id`)}
            else i.expected_quantity
          end,
          'countedAt', to_char(i.counted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'variance', i.counted_quantity - i.expected_quantity
        ) order by i.position), '[]')
        from stock_count_item i
        join variant v on v.shop_id = i.shop_id and v.id = i.variant_id
        join product p on p.shop_id = v.shop_id and p.id = v.product_id
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
 * Throws conflict when the count has ended, and the errors of `sumEntries`, `addEntries` and `submitNumbers`.
 */
export function updateStockCount(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  patch: StockCountPatch,
): Promise<UpdatedStockCount> {
  return db.transaction(async (tx) => {
    const count = await lockCount(tx, shopId, id)
    const entries = await changedEntries(tx, shopId, id, sumEntries(patch.items ?? []))
    const alreadyApplied = patch.status === count.status && count.status !== 'draft'
    const hasChanges =
      entries.length > 0 ||
      (patch.status ?? count.status) !== count.status ||
      (cleared(patch.notes) ?? count.notes) !== count.notes
    if (count.status !== 'draft' && (hasChanges || !alreadyApplied))
      throw conflict(endedMessages[count.status])
    if (hasChanges) {
      await addEntries(tx, shopId, count, entries)
      if (patch.status === 'submitted') await submitNumbers(tx, shopId, actor, count)
      if (patch.status !== undefined && patch.status !== 'draft')
        await storeExpectedQuantities(tx, shopId, count)
      await saveCount(tx, shopId, actor, count, patch)
    }
    return { ...(await getStockCount(tx, shopId, id)), alreadyApplied }
  })
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

async function saveCount(
  tx: Db,
  shopId: number,
  actor: string,
  { id }: LockedCount,
  patch: StockCountPatch,
): Promise<void> {
  const status = patch.status ?? 'draft'
  await tx.one(sql.typeAlias('id')`
    update stock_count
    set status = ${status},
      notes = coalesce(${cleared(patch.notes)}, notes),
      submitted_at = case when ${status} = 'submitted' then now() end,
      submitted_by = case when ${status} = 'submitted' then ${actor} end,
      cancelled_at = case when ${status} = 'cancelled' then now() end,
      updated_at = now()
    where shop_id = ${shopId} and id = ${id} and status = 'draft'
    returning id
  `)
}
